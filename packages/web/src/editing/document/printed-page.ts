/*
 * Printing a document: header and footer repeat on every page (as table head and foot rows, which browsers repeat and
 * reserve space for); notes follow the text with their numbers.
 */

export const printedCss = `@page { margin: 15mm 20mm } body { margin: 0; font: 14px/1.5 sans-serif; white-space: pre-wrap; overflow-wrap: anywhere; print-color-adjust: exact }
p { margin: 0; min-height: 1.3em } table { width: 100%; border-collapse: collapse } td { border: 1px solid #999; padding: 3px 8px; vertical-align: top }
.pg, .pg > * > tr > td { border: 0; padding: 0 } .pg > thead > tr > td { padding-block-end: 5mm } .pg > tfoot > tr > td { padding-block-start: 5mm }
.dc-aside > small { display: none } .is-footnote, .is-endnote { display: flex; gap: 6px; font-size: 12px } .pg-notes { margin-block-start: 16px; border-block-start: 1px solid #999; padding-block-start: 6px }
.is-note { vertical-align: super; font-size: 0.7em } .is-deleted { text-decoration: line-through }
img { max-width: 100% } .is-break { display: block; break-after: page; visibility: hidden; height: 0 } .dc-corner { display: none } p[data-mark]::before { content: attr(data-mark) " " }`

/** Builds the print page from the edited page. */
export function printedPage(page: Document, edited: HTMLElement): HTMLElement {
  const text = page.importNode(edited, true)
  const asides = (kinds: string): Element[] => [...text.querySelectorAll(kinds)]
  /** The header or footer of regular pages; undefined if there are only ones for first or even pages. */
  const usual = (kind: string): Element | undefined =>
    asides(`.dc-aside.is-${kind}`).find((one) => one.getAttribute('data-which') === 'default')
  const [header, footer] = [usual('header'), usual('footer')]
  const first = asides('.dc-aside.is-header').find((one) => one.getAttribute('data-which') === 'first')
  const notes = asides('.is-footnote, .is-endnote')
  for (const one of asides('.dc-aside')) one.remove()
  for (const note of notes) {
    const number = page.createElement('sup')
    number.textContent = note.getAttribute('data-n')
    note.prepend(number)
  }
  const whole = page.createElement('table')
  whole.className = 'pg'
  const put = (row: HTMLTableRowElement, ...what: (Element | undefined)[]): void =>
    row.insertCell().append(...what.filter((one) => one !== undefined))
  if (header !== undefined) put(whole.createTHead().insertRow(), header)
  if (footer !== undefined) put(whole.createTFoot().insertRow(), footer)
  const behind = page.createElement('div')
  behind.className = 'pg-notes'
  behind.append(...notes)
  // A header or footer only for the first page is used there if there is none for all pages.
  put(
    whole.createTBody().insertRow(),
    header === undefined ? first : undefined,
    text,
    notes.length > 0 ? behind : undefined,
  )
  return whole
}
