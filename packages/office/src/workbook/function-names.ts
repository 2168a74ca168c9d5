// The names of functions, as typed and as stored.

/** Functions newer than 2007 have a prefix in files. */
export const plainNames = (formula: string): string => formula.replaceAll(/_xlfn\.(?:_xlws\.)?/g, '')
const later =
  /(?<![\w.])(XLOOKUP|XMATCH|IFS|SWITCH|CONCAT|TEXTJOIN|MAXIFS|MINIFS|DAYS|NUMBERVALUE|IFNA|XOR|ISFORMULA|FORMULATEXT|UNICODE|UNICHAR|ISOWEEKNUM|STDEV\.S|STDEV\.P|VAR\.S|VAR\.P|RANK\.EQ|RANK\.AVG|PERCENTILE\.INC|QUARTILE\.INC|MODE\.SNGL|CEILING\.MATH|FLOOR\.MATH)(?=\()/gi
export const fullNames = (formula: string): string =>
  formula
    .split(/("(?:[^"]|"")*")/)
    .map((piece) =>
      piece.startsWith('"') ? piece : piece.replace(later, (name: string) => `_xlfn.${name.toUpperCase()}`),
    )
    .join('')
