/** The first line of each part of a workbook, and the names of its schemas. */
export const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const SCHEMAS = 'http://schemas.openxmlformats.org';
export const MAIN = `${SCHEMAS}/spreadsheetml/2006/main`;
export const RELATION = `${SCHEMAS}/officeDocument/2006/relationships`;
export const PACKAGE = `${SCHEMAS}/package/2006`;
