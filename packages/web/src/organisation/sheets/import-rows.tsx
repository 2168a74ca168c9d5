// The rows of an import with their problems, editable in place.
import { type SheetColumn, sheetColumns } from '@cloudoc/contract'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { ArrowSync16Regular, Checkmark16Regular, Warning16Regular } from '../../kit/icons.ts'
import { useLevels } from '../shared/form-parts.tsx'
import { useRoles } from '../shared/organisation-queries.ts'
import type { Verdict } from './use-checked-rows.ts'

/** A cell by its row in the file and its column. */
export interface CellAddress {
  readonly n: number
  readonly column: SheetColumn
}

interface RowsProps {
  readonly rows: readonly (readonly string[])[]
  readonly lines: readonly number[]
  readonly listed: readonly number[]
  readonly verdicts: readonly Verdict[]
  readonly isMended: (n: number) => boolean
  /** The cell to scroll to and to focus, each time this changes. */
  readonly goTo: CellAddress | undefined
  readonly onGoTo: (cell: CellAddress) => void
  readonly onEdit: (n: number, column: SheetColumn, value: string) => void
  readonly onSame: (n: number) => void
  readonly onGroup: (path: string) => void
}

const shownColumns = ['accountName', 'account', 'group', 'title', 'email', 'phone', 'level', 'roles', 'expiry'] as const

export function Rows(props: RowsProps): ReactNode {
  const { rows, lines, listed, verdicts, isMended, goTo, onGoTo, onEdit, onSame, onGroup } = props
  const t = useT()
  const scroll = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: listed.length,
    getScrollElement: () => scroll.current,
    estimateSize: (at) => (verdicts[listed[at] ?? 0]?.what === 'wrong' ? 68 : 36),
    getItemKey: (at) => listed[at] ?? at,
    overscan: 8,
  })
  const heights = listed.map((n) => (verdicts[n]?.what === 'wrong' ? '1' : '0')).join('')
  // The row height depends on the messages of the row.
  const measure = useEffectEvent(() => virtual.measure())
  useEffect(() => measure(), [heights])
  const reached = useRef<CellAddress>(undefined)
  const scrollTo = useEffectEvent((n: number) => virtual.scrollToIndex(listed.indexOf(n)))
  useEffect(() => {
    if (goTo !== undefined) scrollTo(goTo.n)
  }, [goTo])
  // The row may be drawn only after scrolling, so every render looks for its cell until it is there.
  useEffect(() => {
    if (goTo === undefined || reached.current === goTo) return
    const cell = scroll.current?.querySelector<HTMLElement>(`[data-cell="${goTo.n} ${goTo.column}"]`)
    if (!cell) return
    reached.current = goTo
    cell.focus()
    cell.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  })
  return (
    <div className="or-sheet" role="table" aria-label={t('org.import')} aria-rowcount={listed.length}>
      <div ref={scroll} className="or-sheet-rows" role="rowgroup" tabIndex={0}>
        <div className="or-sheet-row or-sheet-head" role="row">
          <span role="columnheader">{t('org.import.line')}</span>
          {shownColumns.map((column) => (
            <span key={column} role="columnheader">
              {t(`org.sheet.column.${column}`)}
            </span>
          ))}
          <span role="columnheader">{t('org.import.result')}</span>
        </div>
        <div role="presentation" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {virtual.getVirtualItems().map(({ index, start, size }) => {
            const n = listed[index] ?? 0
            const cells = rows[n] ?? []
            const verdict = verdicts[n]
            const looks = verdict?.what === 'wrong' ? ' is-wrong' : isMended(n) ? ' is-mended' : ''
            return (
              <div
                key={n}
                className={`or-sheet-row${looks}`}
                role="row"
                aria-rowindex={index + 1}
                style={{ transform: `translateY(${start}px)`, height: size }}
              >
                <span role="cell">{lines[n]}</span>
                {shownColumns.map((column) => (
                  <Cell
                    key={column}
                    id={`${n} ${column}`}
                    label={`${lines[n]} ${t(`org.sheet.column.${column}`)}`}
                    value={cells[sheetColumns.indexOf(column)] ?? ''}
                    isWrong={verdict?.problems.some((one) => one.column === column) ?? false}
                    onChange={(value) => onEdit(n, column, value)}
                  />
                ))}
                <span role="cell" className={`or-result is-${verdict?.what ?? 'new'}`}>
                  {verdict === undefined ? (
                    ''
                  ) : verdict.what === 'wrong' ? (
                    <>
                      <Warning16Regular />
                      {t('org.import.isWrong')}
                    </>
                  ) : verdict.what === 'update' ? (
                    <>
                      <ArrowSync16Regular />
                      {t('org.import.isUpdate', { n: verdict.changes })}
                    </>
                  ) : (
                    <>
                      <Checkmark16Regular />
                      {t(
                        verdict.what === 'new'
                          ? isMended(n)
                            ? 'org.import.isMended'
                            : 'org.import.isNew'
                          : 'org.import.isSame',
                      )}
                    </>
                  )}
                </span>
                {verdict?.what === 'wrong' && (
                  <Problems
                    verdict={verdict}
                    cells={cells}
                    onGoTo={(column) => onGoTo({ n, column })}
                    onEdit={(column, value) => onEdit(n, column, value)}
                    onSame={() => onSame(n)}
                    onGroup={onGroup}
                  />
                )}
              </div>
            )
          })}
        </div>
      </div>
    </div>
  )
}

interface CellProps {
  readonly id: string
  readonly label: string
  readonly value: string
  readonly isWrong: boolean
  readonly onChange: (value: string) => void
}

/** A cell, saved on blur and by Enter, which leaves the focus in the cell; Esc restores it. */
function Cell({ id, label, value, isWrong, onChange }: CellProps): ReactNode {
  const [draft, setDraft] = useState<string>()
  const save = (): void => {
    if (draft !== undefined) onChange(draft.trim())
    setDraft(undefined)
  }
  return (
    <span role="cell">
      <input
        data-cell={id}
        className={isWrong ? 'is-wrong' : ''}
        spellCheck={false}
        aria-label={label}
        aria-invalid={isWrong}
        title={value}
        maxLength={500}
        value={draft ?? value}
        onChange={({ target }) => setDraft(target.value)}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            save()
            event.currentTarget.select()
          }
          if (event.key !== 'Escape' || draft === undefined) return
          event.preventDefault()
          setDraft(undefined)
        }}
      />
    </span>
  )
}

interface ProblemsProps {
  readonly verdict: Verdict
  readonly cells: readonly string[]
  readonly onGoTo: (column: SheetColumn) => void
  readonly onEdit: (column: SheetColumn, value: string) => void
  readonly onSame: () => void
  readonly onGroup: (path: string) => void
}

/** How many possible values are offered as buttons. */
const mostChoices = 6

/** The first problem of a row: its column, its value and suggested corrections. */
function Problems({ verdict, cells, onGoTo, onEdit, onSame, onGroup }: ProblemsProps): ReactNode {
  const t = useT()
  const levels = useLevels()
  const { data: roles } = useRoles()
  const [first] = verdict.problems
  if (first === undefined) return null
  const { column, problem } = first
  const cell = cells[sheetColumns.indexOf(column)] ?? ''
  const name = t(`org.sheet.column.${column}`)
  const said =
    problem === 'taken'
      ? t('org.wrong.taken', { name: verdict.was, account: cell })
      : problem === 'missing'
        ? `${name}：${t('org.wrong.missing')}`
        : `${t('org.wrong.value', { column: name, value: cell })}${t(`org.wrong.${problem}`)}`
  // The focus goes to the corrected cell, because the button disappears with the problem.
  const correct = (value: string): void => {
    onEdit(column, value)
    onGoTo(column)
  }
  const choose = async (): Promise<void> => {
    const picked = await openWindow('organisation-pick-group', { title: t('org.pick.group'), ok: t('box.ok') })
    if (picked !== undefined) correct(picked.path)
  }
  const choices =
    problem === 'noLevel'
      ? levels
      : problem === 'noRole'
        ? (roles?.list ?? []).map(({ roleName }) => roleName)
        : problem === 'taken'
          ? [`${cell}2`]
          : []
  return (
    <span className="or-sheet-problem" role="cell">
      <button type="button" className="or-problem-text" title={said} onClick={() => onGoTo(column)}>
        {said}
      </button>
      {problem !== 'taken' && choices.length > 0 && <span>{t('org.wrong.choices')}</span>}
      {choices.slice(0, mostChoices).map((choice) => (
        <Button key={choice} size="small" onClick={() => correct(choice)}>
          {choice}
        </Button>
      ))}
      {choices.length > mostChoices && <span title={choices.join('、')}>…</span>}
      {problem === 'taken' && (
        <Button
          kind="link"
          onClick={() => {
            onSame()
            onGoTo(column)
          }}
        >
          {t('org.wrong.same')}
        </Button>
      )}
      {problem === 'noGroup' && (
        <>
          <Button
            size="small"
            onClick={() => {
              onGroup(
                cell
                  .split(/[/\\>›]/)
                  .map((part) => part.trim())
                  .filter(Boolean)
                  .join(' / '),
              )
              onGoTo(column)
            }}
          >
            {t('org.wrong.makeGroup')}
          </Button>
          <Button size="small" onClick={() => void choose()}>
            {t('org.wrong.pickGroup')}
          </Button>
        </>
      )}
    </span>
  )
}
