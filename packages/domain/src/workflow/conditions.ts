// Conditions of templates, and the check of form values. Money and numbers are compared as whole units of their last
// decimal place, never as binary fractions.
import type { Condition, FormField, FormValues, Operator, Template } from './template.ts'

/** What conditions may ask besides the form. */
export interface ConditionFacts {
  /** The departments of the launcher, with those above them. */
  readonly departments: readonly number[]
  readonly launcherLevel: number
  /** Lower case, without the dot; empty without an attachment. */
  readonly fileType: string
  readonly fileLevel: number
}

const decimal = /^-?\d{1,15}(\.\d{1,4})?$/

/** A decimal text as ten-thousandths; undefined if it is no number. */
export function tenThousandths(text: string): bigint | undefined {
  if (!decimal.test(text.trim())) return undefined
  const [whole = '0', part = ''] = text.trim().replace('-', '').split('.')
  const size = BigInt(whole) * 10_000n + BigInt(part.padEnd(4, '0'))
  return text.trim().startsWith('-') ? -size : size
}

/** The values that a condition asks: several for the departments of the launcher. */
function valuesOf(of: string, form: FormValues, facts: ConditionFacts): readonly string[] {
  if (of.startsWith('form.')) return [form[of.slice(5)] ?? '']
  switch (of) {
    case 'launcher.department':
      return facts.departments.map(String)
    case 'launcher.level':
      return [String(facts.launcherLevel)]
    case 'file.type':
      return [facts.fileType]
    case 'file.level':
      return [String(facts.fileLevel)]
    default:
      return []
  }
}

const order = (left: string, right: string): number | undefined => {
  const [a, b] = [tenThousandths(left), tenThousandths(right)]
  if (a !== undefined && b !== undefined) return a < b ? -1 : a > b ? 1 : 0
  // Dates are ISO texts, which sort as they are.
  const isDate = /^\d{4}-\d{2}-\d{2}$/
  if (isDate.test(left) && isDate.test(right)) return left < right ? -1 : left > right ? 1 : 0
  return undefined
}

function same(left: string, right: string): boolean {
  return order(left, right) === 0 || left.trim() === right.trim()
}

const tests: Readonly<Record<Operator, (value: string, wanted: string) => boolean>> = {
  eq: same,
  ne: (value, wanted) => !same(value, wanted),
  lt: (value, wanted) => (order(value, wanted) ?? 1) < 0,
  le: (value, wanted) => (order(value, wanted) ?? 1) <= 0,
  gt: (value, wanted) => (order(value, wanted) ?? -1) > 0,
  ge: (value, wanted) => (order(value, wanted) ?? -1) >= 0,
  in: (value, wanted) => wanted.split(',').some((one) => same(value, one)),
}

/** Whether a condition holds. An empty value fulfils no condition but `ne`. */
export function holds({ of, is, value }: Condition, form: FormValues, facts: ConditionFacts): boolean {
  const values = valuesOf(of, form, facts)
  if (is === 'ne') return values.every((one) => tests.ne(one, value))
  return values.some((one) => one !== '' && tests[is](one, value))
}

/** What is wrong with the value of a field; undefined if nothing is. */
export type FieldProblem = 'missing' | 'notANumber' | 'notADate' | 'notAChoice' | 'notAnId' | 'tooLong'

/** Whether a text is a day of the calendar: the parser of dates takes 30 February for 2 March. */
function isDay(text: string): boolean {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}

function problemOf(field: FormField, value: string): FieldProblem | undefined {
  if (value.trim() === '') return field.required ? 'missing' : undefined
  switch (field.type) {
    case 'number':
      return tenThousandths(value) === undefined ? 'notANumber' : undefined
    case 'money':
      return /^-?\d{1,15}(\.\d{1,2})?$/.test(value.trim()) ? undefined : 'notANumber'
    case 'date':
      return isDay(value) ? undefined : 'notADate'
    case 'choice':
      return field.choices.includes(value) ? undefined : 'notAChoice'
    case 'person':
    case 'file':
      return /^[1-9]\d{0,15}$/.test(value) ? undefined : 'notAnId'
    default:
      return value.length > 1000 ? 'tooLong' : undefined
  }
}

/** The fields of a form whose values are wrong or missing. Values without a field are wrong too. */
export function formProblems(
  template: Template,
  form: FormValues,
): readonly { readonly field: string; readonly problem: FieldProblem | 'unknown' }[] {
  const known = new Set(template.fields.map(({ id }) => id))
  return [
    ...template.fields.flatMap((field) => {
      const problem = problemOf(field, form[field.id] ?? '')
      return problem === undefined ? [] : [{ field: field.id, problem }]
    }),
    ...Object.keys(form)
      .filter((field) => !known.has(field))
      .map((field) => ({ field, problem: 'unknown' as const })),
  ]
}
