// An oracle for the evaluation of rights. It is written from the text of decisions "Rights evaluation" and [R210],
// evaluates one item and one user at a time, and shares only the bit values with the evaluator.
import type { RightsLevel } from '@cloudoc/domain'

/** One user and the levels from the library root down to the item that the question is about. */
export interface Question {
  readonly levels: readonly RightsLevel[]
  readonly userId: number
  readonly groups: readonly number[]
  readonly roles: readonly number[]
  readonly printRights: boolean
  readonly isManager: boolean
}

const bits = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1048576]

/** The rights that each right requires ([R136]), transitively. */
function need(bit: number, printRights: boolean): number[] {
  const print = printRights ? [1024] : []
  if (bit === 8) return [2, 4, ...print]
  if (bit === 16 || bit === 128 || bit === 512) return [2]
  if (bit === 32 || bit === 256) return [2, 4, 8, ...print]
  if (bit === 64) return [2, 32, 8, ...need(32, printRights)]
  return bit === 1024 ? [2, 4] : []
}

/** The rights of the user on the last item, as the decisions define them. */
export function oracle({ levels, userId, groups, roles, printRights, isManager }: Question, now: number): number {
  if (isManager) return 2048
  const last = levels.length - 1
  const restricts = (depth: number): boolean => {
    const level = levels[depth]
    return level !== undefined && (level.restricted || (level.inherit && restricts(depth - 1)))
  }
  if (restricts(last - 1) && levels[last]?.createdBy !== userId) return 0
  const subjects: [string, number][] = [
    ['user', userId],
    ...groups.map((id): [string, number] => ['group', id]),
    ...roles.map((id): [string, number] => ['role', id]),
  ]
  const at = (depth: number, [type, id]: [string, number], kind: string): number[] =>
    (levels[depth]?.entries ?? [])
      .filter((one) => one.subjectType === type && one.subjectId === id && one.kind === kind)
      .filter(({ expireTime }) => expireTime === null || expireTime > now)
      .map((one) => one.rights)
  const independent = (depth: number, subject: [string, number]): number[] => {
    const own = at(depth, subject, 'independent')
    if (own.length > 0 || depth === 0 || levels[depth]?.inherit !== true) return own
    return independent(depth - 1, subject)
  }
  const applied = (depth: number, subject: [string, number]): number[] => [
    ...at(depth, subject, 'application'),
    ...(depth > 0 && levels[depth]?.inherit === true ? applied(depth - 1, subject) : []),
  ]
  const masks = subjects.flatMap((subject) => [...independent(last, subject), ...applied(last, subject)])
  if (masks.some((mask) => mask % 2 === 1)) return 1
  const held = bits.filter((bit) => masks.some((mask) => (mask & bit) === bit))
  const all = new Set([...held, ...held.flatMap((bit) => need(bit, printRights))])
  return [...all].reduce((sum, bit) => sum + bit, 0)
}
