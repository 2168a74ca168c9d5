import { expect, inject, test } from 'vitest'
import { compareFirstPages, firstPageNames, firstPageOf, storedFirstPage } from '../../test/first-pages.ts'

/** The short run uses a representative subset. Fonts of other machines differ less than documents do. */
const short = new Set(
  'demo-docx demo-xlsx demo-pptx demo-pdf report-docx report-odt charts-xlsx deck-pptx ofd demo-csv'.split(' '),
)
const [mostMean, mostApart, mostShape, leastContrast] = [8, 120, 0.05, 3]

// [R163] The first page of each kind of document (Chinese text, tables, headers, pictures, 60 slides, 50,000 rows, 100
// pages) equals its reviewed reference picture; none is empty.
test.each(firstPageNames.filter((name) => inject('full') || short.has(name)))(
  '[R163] [R169] the first page of %s looks as it did when it was looked at, and is not empty',
  async (name) => {
    const compared = await compareFirstPages(await firstPageOf(name), await storedFirstPage(name))
    const isSame = compared.mean <= mostMean && compared.most <= mostApart && compared.shape <= mostShape
    const hint = 'look at it, and where it should be so: node packages/server/test/first-pages.ts'
    expect(isSame, `${JSON.stringify(compared)}: ${hint}`).toBe(true)
    expect(compared.contrast).toBeGreaterThan(leastContrast)
  },
)
