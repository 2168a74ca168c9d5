// Tables as CSV, in the form that spreadsheet programs open.

/** A CSV cell that no spreadsheet program treats as a formula. */
export function csvCell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
