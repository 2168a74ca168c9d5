// A user leaves: shows what will happen, item by item, and does exactly that or nothing.
import type { Answer, calls } from '@cloudoc/contract'
import { formatSize } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { api, CallError } from '../../core/call/api.ts'
import { type PlainTextKey, useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogFooter } from '../../kit/dialog.tsx'
import {
  Alert16Regular,
  AlertUrgent16Regular,
  ArrowRight20Regular,
  Building16Regular,
  CheckmarkCircle20Filled,
  Folder16Regular,
  type Icon,
  Key16Regular,
  Library16Regular,
  MailInbox16Regular,
  People16Regular,
  PersonSwap16Regular,
  Send16Regular,
  Tag16Regular,
  Warning16Regular,
} from '../../kit/icons.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { type Column, Table, TableName } from '../../kit/table.tsx'
import { InitialsAvatar, type Subject, SubjectField } from '../../people/index.ts'
import { refetchOrganisation } from '../shared/organisation-queries.ts'
import './leaver.css'

export interface LeaverProps {
  readonly userId: number
  readonly accountName: string
  readonly account: string
  readonly groupId: number
  readonly groupName: string
}

type Plan = Answer<typeof calls.getHandover>
type Part = Plan['parts'][number]
type Item = Part['items'][number]

const icons: Readonly<Record<string, Icon>> = {
  files: Folder16Regular,
  libraries: Library16Regular,
  rights: Key16Regular,
  departments: People16Regular,
  reviews: MailInbox16Regular,
  requests: Send16Regular,
  urges: Alert16Regular,
  urgesSent: AlertUrgent16Regular,
  roles: Tag16Regular,
  memberships: Building16Regular,
  standIns: PersonSwap16Regular,
}
const order = Object.keys(icons)

/** Owned items come first. A kind without a label is shown by its table name. */
const sorted = (parts: readonly Part[]): readonly Part[] => {
  const at = ({ kind }: Part): number => (order.includes(kind) ? order.indexOf(kind) : order.length)
  return parts.toSorted((a, b) => at(a) - at(b))
}

function useLabels() {
  const t = useT()
  /** The text of a known feature, otherwise the server's name. */
  const known = (key: string, otherwise: string): string => {
    const words = t(key as PlainTextKey)
    return words === key ? otherwise : words
  }
  return {
    t,
    kindOf: ({ kind }: Part): string => known(`org.leaver.kind.${kind}`, t('org.leaver.other', { table: kind })),
    whyOf: ({ why }: Item): string => (why === '' ? '' : known(`org.leaver.why.${why}`, why)),
    howOf: ({ kind, passes, merges, ends, waits }: Part): string => {
      if (kind === 'files')
        return [t('org.leaver.asLibrary'), ...(waits > 0 ? [t('org.leaver.secret', { n: waits })] : [])].join(
          t('admin.set.comma'),
        )
      return [
        ...(passes > 0 ? [t('org.leaver.passes', { n: passes })] : []),
        ...(merges > 0 ? [t('org.leaver.merges', { n: merges })] : []),
        ...(ends > 0 ? [t('org.leaver.ends', { n: ends })] : []),
        ...(waits > 0 ? [t('org.leaver.waits', { n: waits })] : []),
      ].join(t('admin.set.comma'))
    },
  }
}

/** Freezes an account and hands over its data, after a preview. */
export function Leaver(props: WindowProps<LeaverProps, true>): ReactNode {
  const { userId, accountName, groupId, close } = props
  const { t } = useLabels()
  const [chosen, setChosen] = useState<readonly Subject[]>()
  const [kind, setKind] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const [fresh, setFresh] = useState<Plan>()
  const [done, setDone] = useState<Plan>()
  // The default successor is the department's manager.
  const managers = useQuery({
    queryKey: ['organisation', 'department', groupId, 'leaver'],
    queryFn: () => api.getDepartment({ groupId }),
  })
  useEffect(() => {
    const first = managers.data?.managers.find((one) => one.userId !== userId)
    if (chosen === undefined && first !== undefined)
      setChosen([{ type: 'user', id: first.userId, name: first.accountName }])
  }, [managers.data, chosen, userId])
  const successor = chosen?.[0]
  const asked = useQuery({
    queryKey: ['organisation', 'handover', userId, successor?.id],
    queryFn: () => api.getHandover({ userId, successorId: successor?.id ?? 0 }),
    enabled: successor !== undefined && done === undefined,
    retry: false,
  })
  const plan = fresh ?? asked.data
  const parts = sorted((done ?? plan)?.parts ?? [])
  const shown = parts.find((part) => part.kind === kind) ?? parts[0]
  const handOver = async (): Promise<void> => {
    if (successor === undefined || plan === undefined || busy) return
    setBusy(true)
    setProblem('')
    try {
      const answer = await api.handOver({ userId, successorId: successor.id, seen: plan.seen })
      if (answer.done) {
        setDone(answer)
        void refetchOrganisation()
      } else {
        setFresh(answer)
        setProblem(t('org.leaver.changed'))
      }
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setProblem(error.message)
    } finally {
      setBusy(false)
    }
  }
  const waiting = parts.flatMap((part) => part.items.filter(({ outcome }) => outcome === 'waits'))
  return (
    <>
      <div className="or-leaver">
        <div className="or-leaver-left">
          {done === undefined ? (
            <div className="or-leaver-who">
              <InitialsAvatar id={userId} name={accountName} size="large" />
              <div>
                <b title={accountName}>{accountName}</b>
                <small>
                  {props.account} · {props.groupName}
                </small>
              </div>
              <ArrowRight20Regular />
              <SubjectField
                label={t('org.leaver.to')}
                types="user"
                autoFocus
                chosen={chosen ?? []}
                onChange={(next) => {
                  setChosen(next.filter(({ id }) => id !== userId).slice(-1))
                  setFresh(undefined)
                  setProblem('')
                }}
              />
            </div>
          ) : (
            <div className="or-leaver-done" role="status">
              <CheckmarkCircle20Filled />
              <div>
                <b>{t('org.leaver.done', { name: successor?.name ?? '' })}</b>
                <small>{t('org.leaver.doneMore', { name: accountName, n: done.sessions })}</small>
              </div>
            </div>
          )}
          {done === undefined && successor === undefined && <p className="or-none">{t('org.leaver.choose')}</p>}
          {done === undefined && asked.error !== null && fresh === undefined && (
            <p className="k-problem" role="alert">
              {asked.error.message}
            </p>
          )}
          {done === undefined && successor !== undefined && plan === undefined && asked.error === null && <Spinner />}
          {(done ?? plan) !== undefined && <Parts parts={parts} shownKind={shown?.kind} onShow={setKind} />}
          {(done ?? plan) !== undefined && parts.length === 0 && <p className="or-none">{t('org.leaver.nothing')}</p>}
        </div>
        <aside className="or-leaver-right" aria-label={t('org.leaver.items')}>
          {shown !== undefined && <Items part={shown} successor={successor?.name ?? ''} />}
          {waiting.length > 0 && <Waiting items={waiting} />}
        </aside>
      </div>
      <DialogFooter>
        <span
          className={`or-leaver-note${problem === '' ? '' : ' k-problem'}`}
          role={problem === '' ? undefined : 'alert'}
        >
          {problem !== ''
            ? problem
            : done !== undefined
              ? t('org.leaver.kept')
              : plan !== undefined && t('org.leaver.sessions', { n: plan.sessions })}
        </span>
        {done !== undefined ? (
          <Button kind="primary" autoFocus onClick={() => close(true)}>
            {t('org.close')}
          </Button>
        ) : (
          <>
            <Button onClick={() => close()}>{t('box.cancel')}</Button>
            <Button kind="primary" disabled={busy || plan === undefined} onClick={() => void handOver()}>
              {t('org.leaver.do')}
            </Button>
          </>
        )}
      </DialogFooter>
    </>
  )
}

function Parts(props: {
  readonly parts: readonly Part[]
  readonly shownKind: string | undefined
  readonly onShow: (kind: string) => void
}): ReactNode {
  const { t, kindOf, howOf } = useLabels()
  if (props.parts.length === 0) return null
  const columns: readonly Column<Part>[] = [
    {
      id: 'what',
      head: t('org.leaver.what'),
      renderCell: (part) => {
        const Icon = icons[part.kind] ?? Tag16Regular
        return (
          <button
            type="button"
            className="k-table-open"
            aria-pressed={part.kind === props.shownKind}
            onClick={() => props.onShow(part.kind)}
          >
            <TableName icon={<Icon />}>{kindOf(part)}</TableName>
          </button>
        )
      },
    },
    { id: 'count', head: t('org.leaver.count'), align: 'number', width: '64px', renderCell: ({ count }) => count },
    {
      id: 'how',
      head: t('org.leaver.how'),
      text: 'wrap',
      className: ({ waits }) => (waits > 0 ? 'is-warning' : undefined),
      renderCell: howOf,
    },
  ]
  return (
    <Table
      label={t('org.leaver.parts')}
      columns={columns}
      rows={props.parts}
      keyOf={({ kind }) => kind}
      current={props.shownKind}
    />
  )
}

/** The items of one kind. */
function Items({ part, successor }: { readonly part: Part; readonly successor: string }): ReactNode {
  const { t, kindOf, whyOf } = useLabels()
  const items = part.items.filter(({ outcome }) => outcome !== 'waits')
  const size = part.bytes === 0 ? '' : `，${formatSize(part.bytes, 1)}`
  return (
    <section>
      <h2>
        {kindOf(part)} {t('org.leaver.n', { n: part.count })}
        {size}
      </h2>
      {part.kind === 'files' && <p className="k-help">{t('org.leaver.filesMore', { name: successor })}</p>}
      <ul className="or-lines is-whole">
        {items.map((item, n) => (
          <li key={`${n} ${item.name}`}>
            <span title={item.name}>
              {item.name}
              {item.detail !== '' && <small> · {item.detail}</small>}
            </span>
            <small>{whyOf(item) || t(`org.leaver.is.${item.outcome}`)}</small>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Items that stay unchanged until someone decides on them. */
function Waiting({ items }: { readonly items: readonly Item[] }): ReactNode {
  const { t, whyOf } = useLabels()
  return (
    <section>
      <h2>{t('org.leaver.waiting', { n: items.length })}</h2>
      <ul className="or-lines is-whole">
        {items.map((item, n) => (
          <li key={`${n} ${item.name}`}>
            <Warning16Regular />
            <span title={item.name}>{item.name}</span>
            <small>{whyOf(item)}</small>
          </li>
        ))}
      </ul>
    </section>
  )
}
