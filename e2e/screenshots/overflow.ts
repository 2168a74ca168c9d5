import type { Page } from 'playwright-core'

/**
 * Finds what does not fit on a page: texts cut off without an ellipsis, horizontal scrolling, controls out of reach.
 */
export function overflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = []
    const name = (element: Element): string =>
      `<${element.tagName.toLowerCase()} class="${element.getAttribute('class') ?? ''}"> ${(element.textContent ?? '').slice(0, 40)}`
    const scrolls = (value: string): boolean => value === 'auto' || value === 'scroll'
    const inScroller = (element: Element): boolean => {
      for (let up = element.parentElement; up !== null; up = up.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(up)
        if (scrolls(overflowX) || scrolls(overflowY)) return true
      }
      return false
    }
    if (document.documentElement.scrollWidth > window.innerWidth) found.push('the page scrolls sideways')
    for (const element of document.body.querySelectorAll<HTMLElement>(':not(svg, svg *)')) {
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
      const style = getComputedStyle(element)
      const hasText = [...element.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
      )
      const wide = element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1
      if (wide && hasText && style.display !== 'inline' && style.textOverflow !== 'ellipsis') {
        found.push(`cut off or spilled: ${name(element)}`)
      }
      if (wide && scrolls(style.overflowX) && !element.matches('.pv-scroll'))
        found.push(`scrolls sideways: ${name(element)}`)
      if (element.matches('button, a, input, [role=menuitem]') && !inScroller(element)) {
        const { left, top, right, bottom } = element.getBoundingClientRect()
        if (left < -1 || top < -1 || right > window.innerWidth + 1 || bottom > window.innerHeight + 1) {
          found.push(`outside of the page: ${name(element)}`)
        }
      }
    }
    return found
  })
}
