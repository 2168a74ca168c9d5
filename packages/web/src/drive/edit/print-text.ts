// What is edited on paper, through a frame that nobody sees.

const sheets = `@page { margin: 15mm } body { margin: 0 }
pre { margin: 0; font: 11px/1.5 monospace; white-space: pre-wrap; overflow-wrap: anywhere }`

/** Hands a text to the browser's print dialog. */
export function printText(name: string, text: string): void {
  printFrame(name, sheets, (page) => page.body.append(Object.assign(page.createElement('pre'), { textContent: text })))
}

const cells = `@page { margin: 12mm; size: landscape } body { margin: 0; font: 11px/1.4 sans-serif }
table { border-collapse: collapse } td { border: 1px solid #bbb; padding: 2px 6px; white-space: pre-wrap; vertical-align: top }
.is-number { text-align: end }`

/** Hands a table to the browser's print dialog. */
export function printTable(
  name: string,
  rows: readonly (readonly { readonly text: string; readonly isNumber: boolean }[])[],
): void {
  printFrame(name, cells, (page) => {
    const table = page.createElement('table')
    for (const row of rows) {
      const line = table.insertRow()
      for (const { text, isNumber } of row) {
        const cell = line.insertCell()
        cell.textContent = text
        if (isNumber) cell.className = 'is-number'
      }
    }
    page.body.append(table)
  })
}

/** Hands what is put into a page to the browser's print dialog. */
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
