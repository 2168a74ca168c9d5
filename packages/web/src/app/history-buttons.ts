// The side buttons of the mouse go back and forward inside the product only ([R064], X8: buttons 3 and 4 of the DOM).
// The right button is never intercepted: it opens menus.

import { goBack, goForward } from '../core/page/navigation-history.ts'

/** Overrides the browser's handling of the side buttons. */
export function blockSideButtons(): void {
  window.addEventListener('mouseup', (event) => {
    if (event.button !== 3 && event.button !== 4) return
    event.preventDefault()
    if (event.button === 4) goForward()
    else goBack()
  })
}
