// What assistive technology makes of a page, in any skin ([R003]).
import { AxeBuilder } from '@axe-core/playwright'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, inject } from 'vitest'

/** All four in full; else the light one and the dark one, from which red and green differ by their accent alone. */
export const skins = inject('full') ? ['blue', 'red', 'green', 'black'] : ['blue', 'black']

/** How somebody's browser opens our pages who has chosen a skin. */
export function inSkin(url: string, skin: string): BrowserContextOptions {
  return { storageState: { cookies: [], origins: [{ origin: url, localStorage: [{ name: 'skin', value: skin }] }] } }
}

/** Every rule of WCAG 2.2 A and AA, none left out: the tags name only what each version added. */
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** What axe finds in a page, a line each. */
export async function barriersIn(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).withTags(rules).analyze()
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}

export async function expectNoBarrier(page: Page): Promise<void> {
  expect(await barriersIn(page)).toEqual([])
}

/** The same in every skin, for states that are long to come to: the page stays and changes its colours only. */
export async function expectNoBarrierInAnySkin(page: Page): Promise<void> {
  const wear = (skin: string): Promise<string> =>
    page.evaluate((next) => {
      const worn = document.documentElement.dataset.skin ?? ''
      document.documentElement.dataset.skin = next
      return worn
    }, skin)
  const found: string[] = []
  const worn = await wear('blue')
  for (const skin of skins) {
    await wear(skin)
    found.push(...(await barriersIn(page)).map((barrier) => `${skin}: ${barrier}`))
  }
  await wear(worn)
  expect(found).toEqual([])
}
