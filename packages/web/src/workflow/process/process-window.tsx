// cloudoc-workflow-detail ([R072], [R264]): one process with its form, attachment and road, and what the caller may do.
// A process that is not launched yet is the same window with its fields open (launch.tsx).
import { fullTime, shortTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { waitingTimeLabel } from '../../approvals/index.ts'
import { api } from '../../core/call/api.ts'
import { type Translate, useLocale, useT } from '../../core/i18n/i18n.ts'
import { showMenu } from '../../core/menu/menu.ts'
import { useSession } from '../../core/session/session.ts'
import { openWindow, type WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogFooter } from '../../kit/dialog.tsx'
import {
  ArrowUndo16Regular,
  Checkmark16Filled,
  Dismiss16Regular,
  MoreHorizontal16Regular,
  Send16Regular,
} from '../../kit/icons.ts'
import { isComposing } from '../../kit/keys.ts'
import { Select } from '../../kit/select.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { FormValues } from '../shared/form-fields.tsx'
import { StateChip } from '../shared/state-chip.tsx'
import { Steps } from '../shared/steps.tsx'
import { type ProcessView, processQuery, removedQuery } from '../shared/workflow-queries.ts'
import {
  acted,
  addHandler,
  assignNode,
  backOne,
  changeFolder,
  failOne,
  handOn,
  passOne,
  perform,
  remind,
  replaceFile,
  retryArchive,
  withdraw,
} from './acts.ts'
import { Attachment } from './attachment.tsx'
import { Launch, type LaunchFile } from './launch.tsx'
import { nextToChoose } from './next-handlers.ts'
import { mayRelaunch } from './relaunch.ts'
import '../shared/workflow.css'

export interface WorkflowDetailProps {
  /** The process to show. */
  readonly processId?: number
  /** A process to launch, instead: its template, and its file if it has one. */
  readonly launch?: { readonly templateId: number; readonly file?: LaunchFile }
  /** An ended process whose values and file a new one begins with, instead. */
  readonly again?: number
  readonly name?: string
}

type OwnProps = WindowProps<WorkflowDetailProps, boolean>

export function WorkflowDetail({ processId, launch, again, ...rest }: OwnProps): ReactNode {
  if (processId !== undefined) return <Shown processId={processId} {...rest} />
  if (again !== undefined) return <Again processId={again} {...rest} />
  return launch === undefined ? null : <Launch {...launch} {...rest} />
}

type ShownProps = Pick<OwnProps, 'close' | 'setDirty'> & { readonly processId: number }

function Shown({ processId, close, setDirty }: ShownProps): ReactNode {
  const t = useT()
  const { data, error } = useQuery(processQuery(processId))
  if (error !== null) return <Gone processId={processId} reason={error.message} />
  if (data === undefined) return <Spinner label={t('workflow.loading')} />
  if (data.state === 'draft' || data.mode === 'rework')
    return <Launch key={data.rev} draft={data} templateId={data.templateId} close={close} setDirty={setDirty} />
  return <Open key={`${data.taskId} ${data.rev}`} process={data} close={close} setDirty={setDirty} />
}

/** Instead of a process that the caller cannot see: when and why it was removed, if it was and they see its file. */
function Gone({ processId, reason }: { readonly processId: number; readonly reason: string }): ReactNode {
  const t = useT()
  const { data } = useQuery(removedQuery(processId))
  if (typeof data?.removedTime !== 'number') return <StatePage title={t('workflow.gone')} text={reason} />
  const { removedTime, keepDays } = data
  const text = t('workflow.removed.more', { time: fullTime(removedTime), n: keepDays })
  return <StatePage title={t('workflow.removed')} text={text} />
}

function Again({ processId, close, setDirty }: ShownProps): ReactNode {
  const t = useT()
  const { data, error } = useQuery(processQuery(processId))
  if (error !== null) return <StatePage title={t('workflow.gone')} text={error.message} />
  if (data === undefined) return <Spinner label={t('workflow.loading')} />
  const { templateId, fileId, fName, newestVersion } = data
  const file = { fId: fileId, fName, version: newestVersion }
  return <Launch {...{ templateId, close, setDirty }} again={data} {...(fileId > 0 && { file })} />
}

interface OpenProps extends Pick<OwnProps, 'close' | 'setDirty'> {
  readonly process: ProcessView
}

/** The process for reading, and for deciding about it. */
function Open({ process, close, setDirty }: OpenProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  const [now] = useState(Date.now)
  const steps = process.course.filter(({ what }) => what === 'passed').length
  const total = steps + process.tasks.length + process.ahead.length
  return (
    <>
      <div className="wf-window">
        <div className="wf-main">
          <Outcome process={process} />
          <div className="wf-head">
            <h2>{process.processName}</h2>
            <StateChip process={process} />
            <small>{process.processNumber}</small>
          </div>
          <dl className="wf-facts">
            <div>
              <dt>{t('workflow.fact.launcher')}</dt>
              <dd>
                {process.launcherName} · {shortTime(process.createTime, now, locale)}
              </dd>
            </div>
            <div>
              <dt>{t('workflow.fact.template')}</dt>
              <dd>{t('workflow.fact.templateOf', { name: process.templateName, n: process.templateVersion })}</dd>
            </div>
            <FormValues fields={process.body.fields} values={process.form} names={process.names} />
          </dl>
          {process.comments !== '' && <p className="wf-text">{process.comments}</p>}
          <Attachment process={process} />
          {process.archived.length > 0 && (
            <p className="wf-note" data-tone="success">
              {t('workflow.archivedFiles', {
                names: process.archived.map(({ fName }) => fName).join(t('workflow.listJoin')),
              })}
            </p>
          )}
        </div>
        <aside className="wf-road" aria-label={t('workflow.progress')}>
          <h3>
            {t('workflow.progress')}
            <small>
              {process.endTime === null
                ? t('workflow.progress.of', { n: Math.min(steps + 1, total), total })
                : t('workflow.progress.took', { time: waitingTimeLabel(t, process.createTime, process.endTime) })}
            </small>
          </h3>
          <Steps process={process} />
        </aside>
      </div>
      <Footer process={process} close={close} setDirty={setDirty} />
    </>
  )
}

/** What has come of an ended process. */
function Outcome({ process }: { readonly process: ProcessView }): ReactNode {
  const t = useT()
  const { state, endTime } = process
  if (state !== 'passed' && state !== 'failed' && state !== 'withdrawn') return null
  const tone = state === 'passed' ? 'success' : state === 'failed' ? 'danger' : undefined
  const reason = process.course.findLast(({ what }) => what === 'failed')
  return (
    <p className="wf-note" data-tone={tone}>
      {t(`workflow.outcome.${state}`, { time: endTime === null ? '' : fullTime(endTime) })}
      {state === 'failed' && reason !== undefined && reason.comments !== '' && ` “${reason.comments}”`}
    </p>
  )
}

const phrases = ['workflow.phrase.agree', 'workflow.phrase.read', 'workflow.phrase.change'] as const

/** The acts that are in the menu. */
function moreActs(
  t: Translate,
  process: ProcessView,
  comments: string,
  run: (work: () => Promise<boolean>, closes?: boolean) => Promise<void>,
): Parameters<typeof showMenu>[0] {
  const isDeciding = process.mode === 'decide'
  const task = process.tasks.find(({ taskId }) => taskId === process.taskId)
  return [
    ...(isDeciding
      ? [
          { id: 'handOn', label: t('workflow.act.handOn'), run: () => void run(() => handOn(process, comments)) },
          {
            id: 'before',
            label: t('workflow.act.addBefore'),
            run: () => void run(() => addHandler(process, 'before', comments)),
          },
          {
            id: 'after',
            label: t('workflow.act.addAfter'),
            run: () => void run(() => addHandler(process, 'after', comments), false),
          },
          ...(task?.mayReplace === true && process.fileId > 0
            ? [
                {
                  id: 'replace',
                  label: t('workflow.act.replace'),
                  run: () => void run(() => replaceFile(process, comments), false),
                },
              ]
            : []),
        ]
      : []),
    ...(process.may.remind
      ? [{ id: 'remind', label: t('workflow.act.remind'), run: () => void run(() => remind(process), false) }]
      : []),
    ...(process.may.withdraw
      ? [{ id: 'withdraw', label: t('workflow.act.withdraw'), run: () => void run(() => withdraw(process)) }]
      : []),
  ]
}

interface DecideProps {
  readonly busy: boolean
  readonly onPass: () => void
  readonly onFail: () => void
  /** Undefined where there is no node to send it back to. */
  readonly onBack: (() => void) | undefined
}

function Decide({ busy, onPass, onFail, onBack }: DecideProps): ReactNode {
  const t = useT()
  return (
    <>
      <Button kind="danger" icon={<Dismiss16Regular />} disabled={busy} onClick={onFail}>
        {t('workflow.act.fail')}
      </Button>
      {onBack !== undefined && (
        <Button icon={<ArrowUndo16Regular />} disabled={busy} onClick={onBack}>
          {t('workflow.act.back')}
        </Button>
      )}
      <Button kind="primary" icon={<Checkmark16Filled />} disabled={busy} onClick={onPass}>
        {t('workflow.act.pass')}
      </Button>
    </>
  )
}

function Footer({ process, close, setDirty }: OpenProps): ReactNode {
  const t = useT()
  const { account } = useSession()
  const [comments, setComments] = useState('')
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const say = (text: string): void => {
    setComments(text)
    setProblem('')
    setDirty(text !== '')
  }
  const run = async (work: () => Promise<boolean>, closes = true): Promise<void> => {
    setBusy(true)
    const isDone = await work()
    setBusy(false)
    if (!isDone) return
    say('')
    setDirty(false)
    if (closes) close(true)
  }
  const needComments = (): boolean => {
    if (comments.trim() !== '') return true
    setProblem(t('workflow.comments.needed'))
    return false
  }
  const pass = (): Promise<void> =>
    run(async () => {
      const chosen = await nextToChoose(process)
      return chosen === undefined ? false : passOne(process, comments, chosen)
    })
  const fail = (): void => {
    if (needComments()) void run(() => failOne(process, comments))
  }
  const back = async (): Promise<void> => {
    if (!needComments()) return
    const to = await openWindow('workflow-send-back', { processId: process.processId })
    if (to !== undefined) await run(() => backOne(process, to.node, to.name, comments))
  }
  const sayComment = (): Promise<void> =>
    run(
      () =>
        perform(
          () => api.commentProcess({ processId: process.processId, comments }, { quiet: true }),
          t('workflow.done.commented'),
        ),
      false,
    )
  const more = (at: { readonly x: number; readonly y: number }): void =>
    void showMenu(moreActs(t, process, comments, run), at)
  const hasMore = process.mode === 'decide' || process.may.remind || process.may.withdraw
  const isEnded = process.endTime !== null
  const launchAgain = (): void => {
    close(false)
    void openWindow('cloudoc-workflow-detail', { again: process.processId })
  }
  return (
    <DialogFooter>
      <span className="k-input wf-say">
        <input
          aria-label={t('workflow.comments')}
          aria-invalid={problem !== ''}
          placeholder={t(process.mode === 'decide' ? 'workflow.comments.hint' : 'workflow.comments')}
          maxLength={1000}
          value={comments}
          onChange={({ target }) => say(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || isComposing(event) || comments.trim() === '') return
            if (process.mode === 'decide' && event.ctrlKey) void pass()
            else if (process.mode !== 'decide') void sayComment()
          }}
        />
      </span>
      {problem !== '' && (
        <small className="wf-problem" role="alert">
          {problem}
        </small>
      )}
      {process.mode === 'decide' && (
        <Select
          label={t('workflow.phrases')}
          value=""
          options={[
            { value: '', label: t('workflow.phrases') },
            ...phrases.map((key) => ({ value: t(key), label: t(key) })),
          ]}
          onChange={say}
        />
      )}
      {hasMore && (
        <Button
          icon={<MoreHorizontal16Regular />}
          disabled={busy}
          onClick={({ currentTarget }) => {
            const { left, top } = currentTarget.getBoundingClientRect()
            more({ x: left, y: top })
          }}
        >
          {t('workflow.more')}
        </Button>
      )}
      {(process.mode === null || isEnded) && (
        <Button disabled={busy || comments.trim() === ''} onClick={() => void sayComment()}>
          {t('workflow.act.comment')}
        </Button>
      )}
      {process.mode === 'decide' && (
        <Decide
          busy={busy}
          onPass={() => void pass()}
          onFail={fail}
          onBack={process.backTo.length === 0 ? undefined : () => void back()}
        />
      )}
      {process.mode === 'assign' && (
        <Button
          kind="primary"
          icon={<Send16Regular />}
          disabled={busy}
          onClick={() => void run(() => assignNode(acted(process)))}
        >
          {t('workflow.act.assign')}
        </Button>
      )}
      {process.mode === 'folder' && (
        <>
          <Button disabled={busy} onClick={() => void run(() => changeFolder(acted(process)))}>
            {t('workflow.act.folder')}
          </Button>
          <Button kind="primary" disabled={busy} onClick={() => void run(() => retryArchive(acted(process)))}>
            {t('workflow.act.again')}
          </Button>
        </>
      )}
      {mayRelaunch(process, account.accountId) && (
        <Button icon={<Send16Regular />} disabled={busy} onClick={launchAgain}>
          {t('workflow.act.relaunch')}
        </Button>
      )}
      {process.mode === null && (
        <Button kind="primary" onClick={() => close(false)}>
          {t('workflow.close')}
        </Button>
      )}
    </DialogFooter>
  )
}
