// What assistive technology makes of a page, in all skins ([R003]).
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect, inject } from 'vitest'

/** The skins that there are. */
export const skins = ['blue', 'red', 'green', 'black']

/** Every rule of WCAG 2.2 A and AA, none left out: the tags name only what each version added. */
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Those of them that look at colours. */
const colourRules = axe
  .getRules(['cat.color'])
  .filter(({ tags }) => tags.some((tag) => rules.includes(tag)))
  .map(({ ruleId }) => ruleId)

/** What axe finds in a page by these rules, or by those with these tags, a line each. */
async function violationsIn(page: Page, runOnly: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(async (only) => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, {
      runOnly: only,
      resultTypes: ['violations'],
    })
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
  }, runOnly)
}

/**
 * What axe finds in a page in these skins. The page stays as it is and changes its colours only, so those after the first
 * are judged by these.
 */
export async function violationsInSkins(page: Page, judged: readonly string[]): Promise<string[]> {
  const wear = (skin: string): Promise<void> =>
    page.evaluate((next) => void (document.documentElement.dataset.skin = next), skin)
  const found: string[] = []
  const worn = await page.evaluate(() => document.documentElement.dataset.skin ?? '')
  for (const [at, skin] of judged.entries()) {
    await wear(skin)
    const runOnly = at === 0 ? rules : colourRules
    found.push(...(await violationsIn(page, runOnly)).map((barrier) => `${skin}: ${barrier}`))
  }
  await wear(worn)
  return found
}

/** The light skins differ by one accent: in full each of them is judged. */
export const defaultSkins = inject('full') ? skins : ['blue', 'black']

/** In no skin there is one. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await violationsInSkins(page, defaultSkins)).toEqual([])
}
