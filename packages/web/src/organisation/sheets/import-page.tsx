// Import of users from a table ([R347]): choose a file, check and correct it on the page, import it as a whole, and
// hand out password codes.
import type { Answer, calls } from '@cloudoc/contract'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { AdminBody } from '../../admin/frame/admin-body.tsx'
import { api, CallError } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import {
  ArrowDownload16Regular,
  ArrowLeft20Regular,
  ArrowUpload20Regular,
  Checkmark16Regular,
  Search16Regular,
  Warning16Regular,
} from '../../kit/icons.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { maxPeoplePerCall } from '../shared/organisation-queries.ts'
import '../shared/organisation.css'
import { headers, saveTemplate } from './export.ts'
import { readFile, saveTable } from './files.ts'
import { ImportFoot } from './import-foot.tsx'
import { type CellAddress, Rows } from './import-rows.tsx'
import { ImportSummary } from './import-summary.tsx'
import { type PeopleSheet, SheetError } from './sheet.ts'
import { type CheckedRows, useCheckedRows } from './use-checked-rows.ts'
import './sheets.css'

type Imported = Answer<typeof calls.importPeople>
type Shown = 'all' | 'wrong' | 'mended' | 'update'

const peoplePath = '/doc/admin/people'

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
  const rows = useCheckedRows(sheet)
  const { verdicts, wrong, isMended, failed } = rows
  const [shown, setShown] = useState<Shown>('all')
  const [keyword, setKeyword] = useState('')
  const [importing, setImporting] = useState<string>()
  const [goTo, setGoTo] = useState<CellAddress>()

  const word = keyword.trim().toLowerCase()
  const listed = rows.rows.flatMap((cells, n) => {
    if (word !== '' && !cells.some((cell) => cell.toLowerCase().includes(word))) return []
    // A row being corrected does not disappear while it is edited.
    if (shown === 'wrong' && verdicts[n]?.what !== 'wrong' && !isMended(n)) return []
    if (shown === 'mended' && !isMended(n)) return []
    if (shown === 'update' && verdicts[n]?.what !== 'update') return []
    return [n]
  })

  const write = async (): Promise<void> => {
    const importId = crypto.getRandomValues(new Uint32Array(4)).join('-')
    setImporting(importId)
    try {
      const answer = await api.importPeople({ ...rows.input(), importId })
      if (answer.done) onDone(answer)
      else if (answer.cancelled) toast({ text: t('org.import.cancelled') })
      else {
        // The data was changed by another user in the meantime.
        rows.apply(answer)
        toast({ kind: 'warning', text: t('org.import.changed') })
      }
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      rows.setFailed(error.message)
    } finally {
      setImporting(undefined)
    }
  }
  const other = async (): Promise<void> => {
    const sure =
      !rows.edited || (await confirmBox({ text: t('org.import.drop.ask'), ok: t('org.import.other'), danger: true }))
    if (sure) onOther()
  }
  const saveWrong = (): Promise<void> =>
    saveTable(
      `${work.name.replace(/\.[^.]*$/, '')} ${t('org.import.wrongName')}.xlsx`,
      [headers(), ...wrong.map((n) => rows.rows[n] ?? [])],
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
        <Filters
          rows={rows}
          shown={shown}
          onShow={setShown}
          keyword={keyword}
          onKeyword={setKeyword}
          onSaveWrong={() => void saveWrong()}
        />
        <Rows
          rows={rows.rows}
          lines={sheet.lines}
          listed={listed}
          verdicts={verdicts}
          isMended={isMended}
          goTo={goTo}
          onGoTo={setGoTo}
          onEdit={rows.edit}
          onSame={rows.isSame}
          onGroup={(path) => rows.allowGroup(path, true)}
        />
      </div>
      <ImportSummary sheet={sheet} rows={rows} />
      <ImportFoot
        rows={rows}
        lines={sheet.lines}
        importId={importing}
        onOther={() => void other()}
        onWrite={() => void write()}
      />
    </div>
  )
}

interface FiltersProps {
  readonly rows: CheckedRows
  readonly shown: Shown
  readonly onShow: (shown: Shown) => void
  readonly keyword: string
  readonly onKeyword: (keyword: string) => void
  readonly onSaveWrong: () => void
}

/** Which rows are listed, and saving the wrong ones as a file. */
function Filters({ rows, shown, onShow, keyword, onKeyword, onSaveWrong }: FiltersProps): ReactNode {
  const t = useT()
  const { wrong, count, isMended } = rows
  return (
    <div className="or-filters">
      <div className="or-segments" role="group" aria-label={t('org.import.show')}>
        {(['all', 'wrong', 'mended', 'update'] as const).map((one) => (
          <button key={one} type="button" aria-pressed={shown === one} onClick={() => onShow(one)}>
            {t(`org.import.show.${one}`, {
              n:
                one === 'all'
                  ? rows.rows.length
                  : one === 'wrong'
                    ? wrong.length
                    : one === 'mended'
                      ? rows.rows.filter((_, n) => isMended(n)).length
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
          onChange={({ target }) => onKeyword(target.value)}
        />
      </div>
      <span className="or-grow" />
      <Button size="small" icon={<ArrowDownload16Regular />} disabled={wrong.length === 0} onClick={onSaveWrong}>
        {t('org.import.saveWrong')}
      </Button>
    </div>
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
