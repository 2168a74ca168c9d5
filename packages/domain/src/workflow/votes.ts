// Who may decide at a node: everybody gives one decision, as long as others can give those that are still needed.
import type { Seat, Task } from './state.ts'
import { seatOrderOf } from './state.ts'

const isAnswered = ({ answer }: Seat['line'][number]): boolean => answer !== undefined

/**
 * Those who have decided at a task and do not decide there again, also not as stand-ins (ADR 0356). Nobody, if the
 * decisions that are needed could not be reached without them. `standInsOf` names who acts for somebody who is away.
 */
export function barredAt(task: Task, standInsOf: (account: number) => readonly number[]): readonly number[] {
  if (task.mode !== 'decide') return []
  const answered = task.seats.flatMap(({ line }) => line.filter(isAnswered))
  const decided = new Set(answered.map(({ account, by }) => by ?? account))
  if (decided.size === 0) return []
  const others = task.seats.flatMap((seat) => {
    const turn = seatOrderOf(seat)
    if (turn === undefined) return []
    const standIns = standInsOf(turn.account)
    const present = standIns.length === 0 ? [turn.account] : standIns
    return [present.filter((one) => !decided.has(one))]
  })
  const passed = task.seats.filter(({ result }) => result === 'passed').length
  return mostSeats(others) >= task.need - passed ? [...decided].sort((a, b) => a - b) : []
}

/** How many seats can be answered if everybody answers one: a maximum matching of seats and people. */
function mostSeats(seats: readonly (readonly number[])[]): number {
  const seatOf = new Map<number, number>()
  const place = (seat: number, seen: Set<number>): boolean =>
    (seats[seat] ?? []).some((person) => {
      if (seen.has(person)) return false
      seen.add(person)
      const other = seatOf.get(person)
      if (other !== undefined && !place(other, seen)) return false
      seatOf.set(person, seat)
      return true
    })
  return seats.filter((_, seat) => place(seat, new Set())).length
}
