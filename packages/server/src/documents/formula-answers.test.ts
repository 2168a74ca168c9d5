// The table of answers that the formulas of the page are compared with: LibreOffice computes it again.
import { join } from 'node:path'
import { type Answer, answerOf, answersText, caseWorkbook, formulaCases } from '@cloudoc/office/test/formula-cases'
import { CellError, openWorkbook } from '@cloudoc/office/workbook'
import { expect } from 'vitest'
import { longTest } from '../../test/full.ts'
import { computedByOffice } from '../../test/libreoffice.ts'

const table = join(import.meta.dirname, '../../../office/test/formula-answers.txt')

// [R171] The table of answers for formulas is what LibreOffice computes (test:full; `-u` writes it anew).
longTest('[R171] LibreOffice computes the answers that formulas are compared with', async () => {
  const formulas = [...new Set([...formulaCases.values()].flat())]
  const book = openWorkbook(await computedByOffice(caseWorkbook(formulas)))
  const part = book.sheets[0]?.part ?? ''
  const answers = new Map(
    formulas.map((formula, row): [string, Answer] => {
      const content = book.content(part, row, 10)
      if (content.kind === 'empty') return [formula, answerOf(undefined)]
      return [formula, answerOf(content.kind === 'error' ? new CellError(content.value) : content.value)]
    }),
  )
  await expect(answersText(answers)).toMatchFileSnapshot(table)
})
