// Prints the edited content through a hidden frame.
import type { DrawnStyle } from '@cloudoc/office/workbook'

const sheets = `@page { margin: 15mm } body { margin: 0 }
pre { margin: 0; font: 11px/1.5 monospace; white-space: pre-wrap; overflow-wrap: anywhere }`

/** Prints a text with the print dialog of the browser. */
export function printText(name: string, text: string): void {
  printFrame(name, sheets, (page) => page.body.append(Object.assign(page.createElement('pre'), { textContent: text })))
}

const cells = `@page { margin: 12mm; size: landscape } body { margin: 0; font: 11px/1.4 sans-serif; print-color-adjust: exact }
table { border-collapse: collapse } td { border: 1px solid #bbb; padding: 2px 6px; white-space: pre-wrap; vertical-align: top }
.is-number { text-align: end }`

/** A printed cell; `across` and `down` are its column and row span. */
interface PrintedCell {
  readonly text: string
  readonly isNumber: boolean
  readonly style?: DrawnStyle
  readonly across?: number
  readonly down?: number
}

/** The CSS of a printed cell. */
function lookOf({ bold, italic, underline, strike, color, fill, align, size, font }: DrawnStyle): string {
  const lines = [underline && 'underline', strike && 'line-through'].filter(Boolean).join(' ')
  return [
    bold && 'font-weight: 700',
    italic && 'font-style: italic',
    lines !== '' && `text-decoration: ${lines}`,
    color && `color: ${color}`,
    fill && `background: ${fill}`,
    align && `text-align: ${align}`,
    size && `font-size: ${Math.round(size * 0.75)}px`,
    font && `font-family: ${JSON.stringify(font)}`,
  ]
    .filter(Boolean)
    .join('; ')
}

/** Prints a table with the print dialog of the browser. */
export function printTable(name: string, rows: readonly (readonly PrintedCell[])[]): void {
  printFrame(name, cells, (page) => {
    const table = page.createElement('table')
    for (const row of rows) {
      const line = table.insertRow()
      for (const { text, isNumber, style = {}, across = 1, down = 1 } of row) {
        const cell = line.insertCell()
        cell.textContent = text
        if (isNumber) cell.className = 'is-number'
        cell.style.cssText = lookOf(style)
        cell.colSpan = across
        cell.rowSpan = down
      }
    }
    page.body.append(table)
  })
}

/** Prints a page, which `fill` builds, with the print dialog of the browser. */
export function printFrame(name: string, look: string, fill: (page: Document) => void): void {
  const frame = document.createElement('iframe')
  frame.title = name
  frame.setAttribute('style', 'position: fixed; width: 0; height: 0; border: 0; visibility: hidden')
  document.body.append(frame)
  const [inside, page] = [frame.contentWindow, frame.contentDocument]
  if (inside === null || page === null) return frame.remove()
  const style = page.createElement('style')
  style.textContent = look
  page.title = name
  page.head.append(style)
  fill(page)
  inside.addEventListener('afterprint', () => frame.remove())
  inside.print()
}
