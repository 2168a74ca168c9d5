// A text on paper, through a frame that nobody sees.

const sheets = `@page { margin: 15mm } body { margin: 0 }
pre { margin: 0; font: 11px/1.5 monospace; white-space: pre-wrap; overflow-wrap: anywhere }`

/** Hands a text to the browser's print dialog. */
export function printText(name: string, text: string): void {
  const frame = document.createElement('iframe')
  frame.title = name
  frame.setAttribute('style', 'position: fixed; width: 0; height: 0; border: 0; visibility: hidden')
  document.body.append(frame)
  const [inside, page] = [frame.contentWindow, frame.contentDocument]
  if (inside === null || page === null) return frame.remove()
  const style = page.createElement('style')
  style.textContent = sheets
  page.title = name
  page.head.append(style)
  page.body.append(Object.assign(page.createElement('pre'), { textContent: text }))
  inside.addEventListener('afterprint', () => frame.remove())
  inside.print()
}
