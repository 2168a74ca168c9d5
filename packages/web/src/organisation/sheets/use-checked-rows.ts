// The rows of an import while they are corrected: the server checks them after each change.
import { type Answer, type calls, type SheetColumn, sheetColumns } from '@cloudoc/contract'
import { useEffect, useRef, useState } from 'react'
import { api } from '../../core/call/api.ts'
import type { PeopleSheet } from './sheet.ts'

type Checked = Answer<typeof calls.checkPeople>
export type Verdict = Checked['list'][number]

const offset = (): number => new Date().getTimezoneOffset()
/** Input is checked after this pause. */
const restMs = 350

export type CheckedRows = ReturnType<typeof useCheckedRows>

export function useCheckedRows(sheet: PeopleSheet) {
  const [rows, setRows] = useState(sheet.rows)
  const [same, setSame] = useState<ReadonlySet<number>>(new Set())
  const [newGroups, setNewGroups] = useState<readonly string[]>([])
  const [offered, setOffered] = useState<readonly string[]>([])
  const [checked, setChecked] = useState<Checked>()
  const [edited, setEdited] = useState(false)
  const [wrongAtFirst, setWrongAtFirst] = useState<ReadonlySet<number>>()
  const [failed, setFailed] = useState<string>()
  const checkedBefore = useRef(false)

  const apply = (answer: Checked): void => {
    setChecked(answer)
    setWrongAtFirst((first) => first ?? new Set(answer.list.flatMap(({ what }, n) => (what === 'wrong' ? [n] : []))))
    setOffered((before) => [...new Set([...before, ...answer.groups])])
  }
  useEffect(() => {
    const gone = new AbortController()
    const timer = setTimeout(
      () => {
        api
          .checkPeople({ rows, same: [...same], newGroups: [...newGroups], offset: offset() }, { signal: gone.signal })
          .then(
            (answer) => {
              setFailed(undefined)
              apply(answer)
            },
            (error: unknown) => {
              if (!gone.signal.aborted) setFailed(error instanceof Error ? error.message : String(error))
            },
          )
      },
      checkedBefore.current ? restMs : 0,
    )
    checkedBefore.current = true
    return () => {
      clearTimeout(timer)
      gone.abort()
    }
  }, [rows, same, newGroups])

  const verdicts = checked?.list ?? []
  return {
    rows,
    /** The departments to create, and all that the rows name and that do not exist. */
    newGroups,
    offered,
    setNewGroups,
    allowGroup: (path: string, allowed: boolean): void =>
      setNewGroups(allowed ? [...new Set([...newGroups, path])] : newGroups.filter((one) => one !== path)),
    checked,
    apply,
    verdicts,
    wrong: verdicts.flatMap(({ what }, n) => (what === 'wrong' ? [n] : [])),
    count: (what: Verdict['what']): number => verdicts.filter((one) => one.what === what).length,
    /** A row may be corrected by an edit, by the edit of its duplicate, or by a new department. */
    isMended: (n: number): boolean => {
      const now = verdicts[n]?.what
      return now !== undefined && now !== 'wrong' && wrongAtFirst?.has(n) === true
    },
    edited,
    edit: (n: number, column: SheetColumn, value: string): void => {
      const at = sheetColumns.indexOf(column)
      if (rows[n]?.[at] === value) return
      setRows(rows.map((cells, i) => (i === n ? cells.with(at, value) : cells)))
      setEdited(true)
    },
    isSame: (n: number): void => {
      setSame(new Set([...same, n]))
      setEdited(true)
    },
    /** Why the rows could not be checked or imported. */
    failed,
    setFailed,
    input: () => ({ rows, same: [...same], newGroups: [...newGroups], offset: offset() }),
  }
}
