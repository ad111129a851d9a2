/** Returns the page that a proxy sends instead of an answer of the service. */
export const proxyPage = (title: string): string => `<html>
<head><title>${title}</title></head>
<body><center><h1>${title}</h1></center><hr><center>proxy</center></body>
</html>
`;
