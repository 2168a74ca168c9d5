// Accessibility checks of a page, in all skins ([R003]).
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect, inject } from 'vitest'

/** All skins. */
export const skins = ['blue', 'red', 'green', 'black']

/** Every rule of WCAG 2.2 A and AA without exceptions: each tag names only what its version added. */
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** The rules among them about colours. */
const colourRules = axe
  .getRules(['cat.color'])
  .filter(({ tags }) => tags.some((tag) => rules.includes(tag)))
  .map(({ ruleId }) => ruleId)

/** Returns the violations that axe finds in a page, one line each. `runOnly` lists rules or tags. */
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
 * Returns the violations that axe finds in a page in these skins. Skins change only colours, so only the colour rules
 * are checked for all skins after the first.
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

/** The light skins differ only in one accent colour. The full run checks all of them. */
export const defaultSkins = inject('full') ? skins : ['blue', 'black']

/** Asserts that no skin has a violation. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await violationsInSkins(page, defaultSkins)).toEqual([])
}
