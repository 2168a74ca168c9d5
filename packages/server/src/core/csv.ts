// Tables as CSV, as programs for tables open them.

/** A cell of a table that programs open: none of them takes it for a formula. */
export function csvCell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
