// The side buttons of a mouse go back and forward inside the product only ([R064], X8: buttons 3 and 4 of the DOM). The
// right button is never touched: it opens menus.

import { goBack, goForward } from '../core/page/navigation-history.ts'

/** Takes the side buttons from the browser. */
export function blockSideButtons(): void {
  window.addEventListener('mouseup', (event) => {
    if (event.button !== 3 && event.button !== 4) return
    event.preventDefault()
    if (event.button === 4) goForward()
    else goBack()
  })
}
