const SIGNS = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text as it stands in HTML and in the values of its attributes. */
export const escaped = (text) => text.replace(/[&<>"]/g, (sign) => SIGNS[sign]);
