// Fields of a Word document: page numbers, links and check boxes; of other fields the stored result is shown.
import { at, child, type Element, isOn } from '../package/index.ts'

/** A complex field while its runs are read. */
export interface RunsField {
  instruction: string
  isResult: boolean
  /** The result is computed; the stored one is left out. */
  isReplaced: boolean
  href?: string
}

/** Returns the field of an instruction if it depends on the page. */
export function pageFieldOf(instruction: string): 'page' | 'pages' | undefined {
  const name = /^\s*(\w+)/.exec(instruction)?.[1]?.toUpperCase()
  if (name === 'PAGE') return 'page'
  return name === 'NUMPAGES' || name === 'SECTIONPAGES' ? 'pages' : undefined
}

/**
 * Takes a field character: a field begins, its result begins, or it ends. Returns what is shown instead of the stored
 * result.
 */
export function takeFieldCharacter(
  fields: RunsField[],
  character: Element,
): 'page' | 'pages' | 'ticked' | 'empty' | undefined {
  const type = character.attributes['w:fldCharType']
  if (type === 'begin') {
    fields.push({ instruction: '', isResult: false, isReplaced: false })
    const box = at(character, 'w:ffData', 'w:checkBox')
    if (box === undefined) return undefined
    const state = child(box, 'w:checked') ?? child(box, 'w:default')
    return state !== undefined && isOn(state) ? 'ticked' : 'empty'
  }
  const open = fields.at(-1)
  if (open === undefined) return undefined
  const field = open.isResult ? undefined : pageFieldOf(open.instruction)
  if (type === 'end') {
    fields.pop()
    return field
  }
  open.isResult = true
  open.isReplaced = field !== undefined
  const address = /^\s*HYPERLINK\s+"([^"]+)"/i.exec(open.instruction)?.[1]
  if (address !== undefined) open.href = address
  return field
}

/** The address of the innermost link that is open. */
export const linkOf = (fields: readonly RunsField[]): string | undefined =>
  fields.findLast(({ href, isResult }) => isResult && href !== undefined)?.href
