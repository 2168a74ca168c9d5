// The road of a process: what was done, whom it waits for, what comes next.
import type { ProcessEntry, WorkflowRoadStep } from '@cloudoc/contract'
import { shortTime } from '@cloudoc/domain'
import { type ReactNode, useState } from 'react'
import { Step, type StepState, waitingTimeLabel } from '../../approvals/index.ts'
import { type Translate, useLocale, useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { useSession } from '../../core/session/session.ts'
import type { ProcessView } from './workflow-queries.ts'
import './workflow.css'

/** Lines of the course that say what the road itself shows. */
const quiet = new Set(['asked', 'branch', 'ended'])

const looks: Readonly<Record<string, StepState>> = { failed: 'no', back: 'back', notArchived: 'no', withdrawn: 'no' }

/** The whole road of a process. */
export function Steps({ process }: { readonly process: ProcessView }): ReactNode {
  const t = useT()
  const [now] = useState(Date.now)
  const course = process.course.filter(({ what }) => !quiet.has(what))
  return (
    <ol className="ap-way">
      {course.map((entry, n) => (
        // Lines of a course have no key except their index: they are only ever added.
        <Step key={`${entry.at} ${n}`} look={looks[entry.what] ?? 'done'} title={entryText(t, entry)}>
          <EntryBelow entry={entry} now={now} />
        </Step>
      ))}
      {process.tasks.map((task) => (
        <OpenTask key={task.taskId} task={task} now={now} />
      ))}
      {process.ahead.map((step, n) => (
        <Ahead key={`${step.node} ${n}`} step={step} />
      ))}
      {process.state === 'passed' && <Step look="done" title={t('workflow.ended.passed')} />}
    </ol>
  )
}

function EntryBelow({ entry, now }: { readonly entry: ProcessEntry; readonly now: number }): ReactNode {
  const t = useT()
  const locale = useLocale()
  return (
    <>
      <small>
        {shortTime(entry.at, now, locale)}
        {entry.instead !== undefined && t('workflow.instead', { name: isolated(entry.instead.accountName) })}
      </small>
      {entry.comments !== '' && <q>{entry.comments}</q>}
    </>
  )
}

/** What a line of the course says. */
export function entryText(t: Translate, entry: ProcessEntry): string {
  const { what, nodeName, by, to, detail, version } = entry
  const values = {
    node: nodeName,
    name: isolated(by?.accountName ?? ''),
    to: to.map(({ accountName }) => isolated(accountName)).join(t('workflow.listJoin')),
    detail,
    n: version,
  }
  return t(`workflow.entry.${what}` as 'workflow.entry.passed', values)
}

function OpenTask({ task, now }: { readonly task: ProcessView['tasks'][number]; readonly now: number }): ReactNode {
  const t = useT()
  const me = useSession().account.accountId
  const passed = task.seats.filter(({ result }) => result === 'passed').length
  const many = task.seats.length > 1
  const title =
    task.mode === 'decide'
      ? many
        ? t('workflow.step.many', { node: task.nodeName, need: task.need })
        : task.nodeName
      : t(`workflow.mode.${task.mode}`, { node: task.nodeName })
  return (
    <Step look="now" title={title}>
      <small>
        {many && t('workflow.step.reached', { n: passed, need: task.need })}
        {t('workflow.step.waited', { time: waitingTimeLabel(t, task.since, now) })}
        {task.due !== null && t('workflow.step.due', { time: shortTime(task.due, now, 'zh') })}
      </small>
      <ul className="wf-people">
        {task.seats.flatMap((seat) =>
          seat.people.map((person) => (
            <li key={`${person.userId}`}>
              <span>
                {person.accountName}
                {person.because !== 'rule' && person.because !== 'chosen' && (
                  <small>{t(`workflow.because.${person.because}` as 'workflow.because.added')}</small>
                )}
                {person.standIn !== undefined && (
                  <small>{t('workflow.standIn', { name: isolated(person.standIn.accountName) })}</small>
                )}
              </span>
              <em data-answer={person.answer ?? undefined}>
                {person.answer !== null
                  ? t(`workflow.answer.${person.answer}`)
                  : person.isTurn
                    ? t(person.userId === me || person.standIn?.userId === me ? 'workflow.turn.you' : 'workflow.turn')
                    : t('workflow.turn.later')}
              </em>
            </li>
          )),
        )}
      </ul>
    </Step>
  )
}

/** A node that would come next. */
export function Ahead({
  step,
  children,
}: {
  readonly step: WorkflowRoadStep
  readonly children?: ReactNode
}): ReactNode {
  const t = useT()
  const names = step.people.map(({ accountName }) => isolated(accountName)).join(t('workflow.listJoin'))
  return (
    <Step look="next" title={step.name}>
      <small>
        {step.isStuck
          ? t('workflow.road.stuck')
          : names !== ''
            ? step.need > 0 && step.people.length > 1
              ? t('workflow.road.of', { names, n: step.need })
              : names
            : step.chosenBy === 'before'
              ? t('workflow.road.before')
              : step.chosenBy === 'launcher' && children === undefined
                ? t('workflow.road.launcher')
                : ''}
      </small>
      {children}
    </Step>
  )
}
