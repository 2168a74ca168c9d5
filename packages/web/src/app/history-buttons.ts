// The side buttons of a mouse go back and forward inside the product only ([R064], X8: buttons 3 and 4 of the DOM). The
// right button is never touched: it opens menus.

/** Takes the side buttons from the browser. */
export function blockSideButtons(): void {
  window.addEventListener('mouseup', (event) => {
    if (event.button !== 3 && event.button !== 4) return
    event.preventDefault()
    const state = history.state as { idx?: number } | null
    if (event.button === 4) history.forward()
    else if ((state?.idx ?? 0) > 0) history.back()
  })
}
