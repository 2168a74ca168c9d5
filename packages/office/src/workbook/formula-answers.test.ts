// The functions of formulas over generated edge cases, beside the answers of LibreOffice in formula-answers.txt, which
// `npm run test:full` computes again.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { type Answer, answerOf, answersText, caseCell, caseRows, formulaCases } from '../../test/formula-cases.ts'
import { compute, parseFormula } from './formula.ts'
import { functions } from './formula-functions.ts'
import { UnsupportedFormula } from './formula-values.ts'

const text = readFileSync(new URL('../../test/formula-answers.txt', import.meta.url), 'utf8')
const table = JSON.parse(text) as Readonly<Record<string, readonly Answer[]>>

const isError = (answer: Answer | undefined): boolean => typeof answer === 'string' && answer.startsWith('#')

interface Case {
  readonly formula: string
  readonly ours: Answer
  readonly theirs: Answer | undefined
}

/** Where Excel, which the product follows, differs from LibreOffice. */
const differences: Readonly<Record<string, (of: Case) => boolean>> = {
  'LibreOffice has no booleans of their own: they count as numbers, and become texts such as 1': ({ formula }) =>
    /TRUE|FALSE|\bD\d/.test(formula),
  'Excel has #NUM!, #REF! and #N/A where LibreOffice has #VALUE!; which of two errors is the result differs': ({
    ours,
    theirs,
  }) => isError(ours) && isError(theirs),
  'a number in a text as an argument counts in Excel': ({ formula, ours, theirs }) =>
    theirs === '#VALUE!' &&
    typeof ours === 'number' &&
    /^(?:SUM|PRODUCT|AVERAGE|MIN|MAX|MEDIAN|LARGE|SMALL)\(.*"/.test(formula),
  'Excel has no days before 1900 and after 9999': ({ formula, ours }) =>
    ours === '#NUM!' && /^(?:YEAR|MONTH|DAY|WEEKDAY|EDATE|EOMONTH|DATE)\(/.test(formula),
  'wildcards match texts only in Excel': ({ formula }) => /(?:IFS?|MATCH)\(.*"[?*]"/.test(formula),
  'a number as a criterion finds texts of that number in Excel': ({ formula }) =>
    /IFS?\(.*B1:B12,(?:5|A10)\b/.test(formula),
  'a number as a text finds no number in Excel': ({ formula, ours }) =>
    ours === '#N/A' && formula.startsWith('MATCH("5"'),
  'a number that is not in the range has no rank in Excel': ({ formula, ours }) =>
    ours === '#N/A' && formula.startsWith('RANK'),
  'exponents of texts have two digits in Excel': ({ formula }) => formula.includes('1E+21'),
  'Excel has no 0 to the power of 0, and no roots of negative numbers': ({ formula, ours }) =>
    ours === '#NUM!' && /\^|^POWER/.test(formula),
}

const comesTo = (formula: string): Answer | undefined => {
  try {
    return answerOf(
      compute(parseFormula(formula), {
        cell: (_, row, column) => caseCell(row, column),
        name: () => undefined,
        rows: () => caseRows,
      }),
    )
  } catch (error) {
    if (error instanceof UnsupportedFormula) return undefined
    throw error
  }
}

const isSame = (ours: Answer, theirs: Answer | undefined): boolean =>
  ours === theirs ||
  (typeof ours === 'number' && typeof theirs === 'number' && Math.abs(ours - theirs) <= 1e-13 * Math.abs(theirs))

// [R171] Formulas come to what LibreOffice computes, or Excel where they differ, over 7,000 generated edge cases;
// otherwise they are left to the program that opens the file.
it('[R171] functions come to what LibreOffice computes over edge cases, or are left to other programs', () => {
  const wrong: Case[] = []
  const reasons = new Set<string>()
  let same = 0
  let left = 0
  for (const [name, formulas] of formulaCases) {
    formulas.forEach((formula, n) => {
      const [ours, theirs] = [comesTo(formula), table[name]?.[n]]
      if (ours === undefined) left++
      else if (isSame(ours, theirs)) same++
      else {
        const found = { formula, ours, theirs }
        const reason = Object.entries(differences).find(([, holds]) => holds(found))?.[0]
        if (reason === undefined) wrong.push(found)
        else reasons.add(reason)
      }
    })
  }
  expect(wrong).toEqual([])
  // Each difference is needed, and few cases are left to other programs.
  expect([...reasons].sort()).toEqual(Object.keys(differences).sort())
  expect(left / (same + left)).toBeLessThan(0.12)
})

it('each function has cases, and the table has an answer for each', () => {
  const all = [...formulaCases.values()].flat().join('\n')
  expect([...functions.keys()].filter((name) => !all.includes(`${name}(`))).toEqual([])
  const answers = new Map([...formulaCases].flatMap(([name, of]) => of.map((one, n) => [one, table[name]?.[n] ?? 0])))
  expect(answersText(answers)).toBe(text)
})
