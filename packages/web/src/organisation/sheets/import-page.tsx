// Import of users from a table ([R347]): choose a file, check and correct it on the page, import it as a whole, and
// hand out password codes.
import { type Answer, type calls, type SheetColumn, sheetColumns } from '@cloudoc/contract'
import {
  ArrowDownload16Regular,
  ArrowLeft20Regular,
  ArrowSync16Regular,
  ArrowUpload20Regular,
  Checkmark16Regular,
  Search16Regular,
  Warning16Regular,
} from '@fluentui/react-icons'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { AdminBody } from '../../admin/frame/admin-body.tsx'
import { api, CallError } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { Checkbox } from '../../kit/fields.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { useLevels } from '../shared/form-parts.tsx'
import { maxPeoplePerCall, useRoles } from '../shared/organisation-queries.ts'
import '../shared/organisation.css'
import { headers, saveTemplate } from './export.ts'
import { readFile, saveTable } from './files.ts'
import { type PeopleSheet, SheetError } from './sheet.ts'
import './sheets.css'

type Checked = Answer<typeof calls.checkPeople>
type Verdict = Checked['list'][number]
type Imported = Answer<typeof calls.importPeople>
type Shown = 'all' | 'wrong' | 'mended' | 'update'

const peoplePath = '/doc/admin/people'
const offset = (): number => new Date().getTimezoneOffset()
/** Input is checked after this pause. */
const restMs = 350
const askEveryMs = 500

interface Work {
  readonly name: string
  readonly sheet: PeopleSheet
}

export function ImportPage(): ReactNode {
  const t = useT()
  const navigate = useNavigate()
  const [work, setWork] = useState<Work>()
  const [done, setDone] = useState<Imported>()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined || busy) return
    setBusy(true)
    setProblem(undefined)
    try {
      setWork({ name: file.name, sheet: await readFile(file) })
    } catch (error) {
      if (!(error instanceof SheetError)) throw error
      setProblem(t(`org.sheet.${error.fault}`))
    } finally {
      setBusy(false)
    }
  }
  const step = done !== undefined ? 3 : work !== undefined ? 1 : 0
  return (
    <AdminBody
      title={t('org.import')}
      note={work?.name}
      actions={
        <>
          <ol className="or-steps">
            {(['choose', 'check', 'write', 'codes'] as const).map((name, n) => (
              <li
                key={name}
                className={n < step || (n === 2 && step === 3) ? 'is-done' : n === step ? 'is-now' : ''}
                aria-current={n === step ? 'step' : undefined}
              >
                {t(`org.step.${name}`)}
              </li>
            ))}
          </ol>
          <IconButton
            label={t('org.import.back')}
            icon={<ArrowLeft20Regular />}
            onClick={() => void navigate(peoplePath)}
          />
        </>
      }
    >
      {done !== undefined ? (
        <Done done={done} />
      ) : work !== undefined ? (
        <Mend key={work.name} work={work} onDone={setDone} onOther={() => setWork(undefined)} />
      ) : (
        <Choose busy={busy} problem={problem} onFile={(file) => void take(file)} />
      )}
    </AdminBody>
  )
}

interface ChooseProps {
  readonly busy: boolean
  readonly problem: string | undefined
  readonly onFile: (file: File | undefined) => void
}

function Choose({ busy, problem, onFile }: ChooseProps): ReactNode {
  const t = useT()
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  return (
    <div className="or-choose">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: files are also chosen by its button. */}
      <div
        className={`or-drop${over ? ' is-over' : ''}`}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          onFile(event.dataTransfer.files[0])
        }}
      >
        {busy ? <Spinner /> : <ArrowUpload20Regular />}
        <p>{t('org.import.drop')}</p>
        <small>{t('org.import.kinds')}</small>
        <div className="or-line">
          <Button kind="primary" disabled={busy} onClick={() => input.current?.click()}>
            {t('org.import.choose')}
          </Button>
          <Button icon={<ArrowDownload16Regular />} onClick={() => void saveTemplate()}>
            {t('org.import.template')}
          </Button>
        </div>
        <input
          ref={input}
          hidden
          type="file"
          accept=".xlsx,.csv,.txt"
          aria-label={t('org.import.choose')}
          onChange={({ target }) => {
            onFile(target.files?.[0])
            target.value = ''
          }}
        />
        {problem !== undefined && (
          <p className="k-problem" role="alert">
            {problem}
          </p>
        )}
      </div>
    </div>
  )
}

interface MendProps {
  readonly work: Work
  readonly onDone: (done: Imported) => void
  readonly onOther: () => void
}

/** The rows with their problems, editable in place. */
function Mend({ work, onDone, onOther }: MendProps): ReactNode {
  const t = useT()
  const { sheet } = work
  const [rows, setRows] = useState(sheet.rows)
  const [same, setSame] = useState<ReadonlySet<number>>(new Set())
  const [newGroups, setNewGroups] = useState<readonly string[]>([])
  const [offered, setOffered] = useState<readonly string[]>([])
  const [checked, setChecked] = useState<Checked>()
  const [edited, setEdited] = useState(false)
  const [wrongAtFirst, setWrongAtFirst] = useState<ReadonlySet<number>>()
  const [shown, setShown] = useState<Shown>('all')
  const [keyword, setKeyword] = useState('')
  const [importing, setImporting] = useState<string>()
  const [failed, setFailed] = useState<string>()
  const checkedBefore = useRef(false)
  const [goTo, setGoTo] = useState<CellAddress>()

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
  const wrong = verdicts.flatMap(({ what }, n) => (what === 'wrong' ? [n] : []))
  const count = (what: Verdict['what']): number => verdicts.filter((one) => one.what === what).length
  // A row may be corrected by an edit, by the edit of its duplicate, or by a new department.
  const isMended = (n: number): boolean => {
    const now = verdicts[n]?.what
    return now !== undefined && now !== 'wrong' && wrongAtFirst?.has(n) === true
  }
  const word = keyword.trim().toLowerCase()
  const listed = rows.flatMap((cells, n) => {
    if (word !== '' && !cells.some((cell) => cell.toLowerCase().includes(word))) return []
    // A row being corrected does not disappear while it is edited.
    if (shown === 'wrong' && verdicts[n]?.what !== 'wrong' && !isMended(n)) return []
    if (shown === 'mended' && !isMended(n)) return []
    if (shown === 'update' && verdicts[n]?.what !== 'update') return []
    return [n]
  })
  const edit = (n: number, column: SheetColumn, value: string): void => {
    const at = sheetColumns.indexOf(column)
    if (rows[n]?.[at] === value) return
    setRows(rows.map((cells, i) => (i === n ? cells.with(at, value) : cells)))
    setEdited(true)
  }
  const isSame = (n: number): void => {
    setSame(new Set([...same, n]))
    setEdited(true)
  }
  const allowGroup = (path: string, allowed: boolean): void =>
    setNewGroups(allowed ? [...new Set([...newGroups, path])] : newGroups.filter((one) => one !== path))

  const write = async (): Promise<void> => {
    const importId = crypto.getRandomValues(new Uint32Array(4)).join('-')
    setImporting(importId)
    try {
      const answer = await api.importPeople({
        rows,
        same: [...same],
        newGroups: [...newGroups],
        offset: offset(),
        importId,
      })
      if (answer.done) onDone(answer)
      else if (answer.cancelled) toast({ text: t('org.import.cancelled') })
      else {
        // The data was changed by another user in the meantime.
        apply(answer)
        toast({ kind: 'warning', text: t('org.import.changed') })
      }
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setFailed(error.message)
    } finally {
      setImporting(undefined)
    }
  }
  const other = async (): Promise<void> => {
    const sure =
      !edited || (await confirmBox({ text: t('org.import.drop.ask'), ok: t('org.import.other'), danger: true }))
    if (sure) onOther()
  }
  const saveWrong = (): Promise<void> =>
    saveTable(
      `${work.name.replace(/\.[^.]*$/, '')} ${t('org.import.wrongName')}.xlsx`,
      [headers(), ...wrong.map((n) => rows[n] ?? [])],
      {
        sheet: t('org.people'),
      },
    )
  /** The next wrong cell after the one that the user went to last. */
  const after = listed.findIndex((n) => n === goTo?.n) + 1
  const nextRow = [...listed.slice(after), ...listed.slice(0, after)].find((n) => verdicts[n]?.what === 'wrong')
  const nextProblem = nextRow === undefined ? undefined : verdicts[nextRow]?.problems[0]
  const nextWrong: CellAddress | undefined =
    nextRow === undefined || nextProblem === undefined ? undefined : { n: nextRow, column: nextProblem.column }
  const people = count('new') + count('update')
  const isReady = checked !== undefined && wrong.length === 0 && checked.over === 0 && people > 0
  return (
    <div className="or-import">
      <div className="or-import-main">
        {failed !== undefined ? (
          <p className="or-notice is-bad" role="alert">
            <Warning16Regular />
            {failed}
          </p>
        ) : (
          wrong.length > 0 && (
            <p className="or-notice is-bad">
              <Warning16Regular />
              <span>
                <b>{t('org.import.wrong', { n: wrong.length })}</b> {t('org.import.wrongMore')}
              </span>
              <Button size="small" disabled={nextWrong === undefined} onClick={() => setGoTo(nextWrong)}>
                {t('org.import.next')}
              </Button>
            </p>
          )
        )}
        <div className="or-filters">
          <div className="or-segments" role="group" aria-label={t('org.import.show')}>
            {(['all', 'wrong', 'mended', 'update'] as const).map((one) => (
              <button key={one} type="button" aria-pressed={shown === one} onClick={() => setShown(one)}>
                {t(`org.import.show.${one}`, {
                  n:
                    one === 'all'
                      ? rows.length
                      : one === 'wrong'
                        ? wrong.length
                        : one === 'mended'
                          ? rows.filter((_, n) => isMended(n)).length
                          : count('update'),
                })}
              </button>
            ))}
          </div>
          <div className="k-input or-search">
            <Search16Regular />
            <input
              type="search"
              aria-label={t('org.import.find')}
              placeholder={t('org.import.find')}
              value={keyword}
              onChange={({ target }) => setKeyword(target.value)}
            />
          </div>
          <span className="or-grow" />
          <Button
            size="small"
            icon={<ArrowDownload16Regular />}
            disabled={wrong.length === 0}
            onClick={() => void saveWrong()}
          >
            {t('org.import.saveWrong')}
          </Button>
        </div>
        <Rows
          rows={rows}
          lines={sheet.lines}
          listed={listed}
          verdicts={verdicts}
          isMended={isMended}
          goTo={goTo}
          onGoTo={setGoTo}
          onEdit={edit}
          onSame={isSame}
          onGroup={(path) => allowGroup(path, true)}
        />
      </div>
      <aside className="or-import-side">
        <h2>{t('org.import.file')}</h2>
        <dl>
          <dt>{t('org.import.rows')}</dt>
          <dd>{t('org.import.rows.n', { n: rows.length })}</dd>
          <dt>{t('org.import.new')}</dt>
          <dd>{t('org.count', { n: count('new') })}</dd>
          <dt>{t('org.import.update')}</dt>
          <dd>{t('org.count', { n: count('update') })}</dd>
          <dt>{t('org.import.same')}</dt>
          <dd>{t('org.count', { n: count('same') })}</dd>
        </dl>
        {checked !== undefined && checked.over > 0 && (
          <p className="k-problem" role="alert">
            {t('org.import.over', { n: checked.over })}
          </p>
        )}
        <h2>{t('org.import.columns')}</h2>
        <p className="or-columns-of">
          {sheet.columns
            .filter(({ header }) => header !== '')
            .map(({ header, column }) => {
              const name = column === undefined ? t('org.import.left') : t(`org.sheet.column.${column}`)
              return name === header ? header : `${header} → ${name}`
            })
            .join('，')}
        </p>
        {offered.length > 0 && (
          <>
            <h2>{t('org.import.groups')}</h2>
            <Checkbox
              label={t('org.import.allGroups', { n: offered.length })}
              checked={offered.every((path) => newGroups.includes(path))}
              onChange={({ target }) => setNewGroups(target.checked ? offered : [])}
            />
            <ul className="or-checks">
              {offered.slice(0, 200).map((path) => (
                <li key={path}>
                  <Checkbox
                    label={path}
                    checked={newGroups.includes(path)}
                    onChange={({ target }) => allowGroup(path, target.checked)}
                  />
                </li>
              ))}
            </ul>
            <p className="k-help">{t('org.import.groupsMore')}</p>
          </>
        )}
      </aside>
      <footer className="or-import-foot">
        {importing !== undefined ? (
          <Importing importId={importing} people={people} groups={newGroups.length} />
        ) : (
          <b className={isReady ? 'is-ready' : ''}>
            {checked === undefined
              ? t('org.import.checking')
              : wrong.length > 0
                ? t('org.import.wrong', { n: wrong.length })
                : people === 0
                  ? t('org.import.nothing')
                  : t('org.import.ready', { added: count('new'), updated: count('update') })}
          </b>
        )}
        <small>
          {wrong.length > 0
            ? t('org.import.whichLines', {
                lines: wrong
                  .slice(0, 5)
                  .map((n) => sheet.lines[n] ?? 0)
                  .join('、'),
              })
            : t('org.import.whole')}
        </small>
        <span className="or-grow" />
        {importing === undefined ? (
          <Button onClick={() => void other()}>{t('org.import.other')}</Button>
        ) : (
          <CallOff key={importing} importId={importing} />
        )}
        <Button kind="primary" disabled={!isReady || importing !== undefined} onClick={() => void write()}>
          {t('org.import.write', { n: people })}
        </Button>
      </footer>
    </div>
  )
}

interface ImportingProps {
  readonly importId: string
  readonly people: number
  readonly groups: number
}

/** The progress of the import, polled while it runs. */
function Importing({ importId, people, groups }: ImportingProps): ReactNode {
  const t = useT()
  const { data } = useQuery({
    queryKey: ['import-progress', importId],
    queryFn: () => api.getImportProgress({ importId }),
    // Before its first row is written, an import is as unknown to the server as after its end.
    refetchInterval: askEveryMs,
    gcTime: 0,
    retry: false,
  })
  const stage = data === undefined || data.stage === 'ended' ? 'waiting' : data.stage
  const progress = stage === 'waiting' ? undefined : data?.progress
  const n = stage === 'groups' ? Math.max(groups, data?.written ?? 0) : people
  return (
    <>
      <b>{t('org.import.writing', { n: people })}</b>
      <progress max={1000} value={progress} aria-label={t('org.import.writing', { n: people })} />
      <span className="or-import-stage">{t(`org.import.stage.${stage}`, { n, written: data?.written ?? 0 })}</span>
    </>
  )
}

/** Cancels the import. The import call itself returns the outcome. */
function CallOff({ importId }: { readonly importId: string }): ReactNode {
  const t = useT()
  const [asked, setAsked] = useState(false)
  const callOff = async (): Promise<void> => {
    setAsked(true)
    try {
      const { cancelled } = await api.cancelImport({ importId })
      if (!cancelled) toast({ kind: 'warning', text: t('org.import.tooLate') })
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      toast({ kind: 'error', text: error.message })
      setAsked(false)
    }
  }
  return (
    <Button disabled={asked} onClick={() => void callOff()}>
      {t(asked ? 'org.import.callingOff' : 'org.import.callOff')}
    </Button>
  )
}

/** A cell by its row in the file and its column. */
interface CellAddress {
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

function Rows(props: RowsProps): ReactNode {
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

/** The result of the import, and how the new users set their passwords. */
function Done({ done }: { readonly done: Imported }): ReactNode {
  const t = useT()
  const navigate = useNavigate()
  const queries = useQueryClient()
  useEffect(() => void queries.invalidateQueries({ queryKey: ['organisation'] }), [queries])
  const [busy, setBusy] = useState(false)
  const codes = async (): Promise<void> => {
    setBusy(true)
    try {
      const list = []
      for (let at = 0; at < done.userIds.length; at += maxPeoplePerCall)
        list.push(...(await api.createPasswordLinks({ userIds: done.userIds.slice(at, at + maxPeoplePerCall) })).list)
      await openWindow('organisation-password-links', { list })
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="or-choose">
      <div className="or-drop is-done">
        <Checkmark16Regular />
        <h2>{t('org.import.done', { added: done.userIds.length, updated: done.updated })}</h2>
        {done.userIds.length > 0 && <p>{t('org.import.codes')}</p>}
        <div className="or-line">
          {done.userIds.length > 0 && (
            <Button kind="primary" disabled={busy} onClick={() => void codes()}>
              {t('org.import.makeCodes')}
            </Button>
          )}
          <Button onClick={() => void navigate(peoplePath)}>{t('org.import.toPeople')}</Button>
        </div>
      </div>
    </div>
  )
}
