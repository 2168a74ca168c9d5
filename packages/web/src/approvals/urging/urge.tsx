// cloudoc-urge ([R270]): whom to urge about a file or folder, what they are asked for, until when, and how often they
// are reminded.
import type { Answer, calls, Input } from '@cloudoc/contract'
import {
  afterWorkdays,
  extNameOf,
  minuteTime,
  NotifyType,
  nameInText,
  urgeLimits,
  type WorkCalendar,
  workCalendar,
  yearsWithoutDays,
} from '@cloudoc/domain'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useDeferredValue, useId, useState } from 'react'
import { api, CallError } from '../../core/call/api.ts'
import { t as say, type Translate, useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { useSession } from '../../core/session/session.ts'
import { toast } from '../../core/toast/toast.ts'
import { openWindow, type WindowProps } from '../../core/windows/index.ts'
import { FileIcon, FolderIcon } from '../../items/item/file-icon.tsx'
import { Button } from '../../kit/button.tsx'
import { DialogFooter } from '../../kit/dialog.tsx'
import { Checkbox } from '../../kit/fields.tsx'
import { Alert16Regular, Chat16Regular, Edit16Regular, Eye16Regular } from '../../kit/icons.ts'
import { MomentField } from '../../kit/moment-field.tsx'
import { Select } from '../../kit/select.tsx'
import { TabPanel } from '../../kit/tab-panel.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { type Subject, SubjectField } from '../../people/index.ts'
import { PeopleTree, type TreeOf } from './people-tree.tsx'
import { idsOf, refetchUrges, typeKeys } from './urge-queries.ts'
import '../review/approvals.css'
import './urging.css'

interface UrgedItem {
  readonly serverId: number
  readonly fType: 1 | 2
  readonly fId: number
  readonly fName: string
}

export interface UrgeProps {
  readonly item: UrgedItem
  /** Further items; each is an urge of its own, with the same words. */
  readonly more?: readonly UrgedItem[]
}

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs
const trees: readonly TreeOf[] = ['group', 'role']
const types = [
  [NotifyType.handle, <Edit16Regular key="handle" />],
  [NotifyType.read, <Eye16Regular key="read" />],
  [NotifyType.feedback, <Chat16Regular key="feedback" />],
] as const
/** The offered pauses between reminders, in hours. */
const pauses = [0, 4, 24, 72, 168] as const
/** The offered deadlines in working days; 0: a time. */
const workdayChoices = [0, 1, 2, 3, 5, 10] as const
const phrases = ['urge.phrase.today', 'urge.phrase.attach', 'urge.phrase.check'] as const

interface Form {
  readonly chosen: readonly Subject[]
  readonly notifyType: NotifyType
  readonly message: string
  readonly deadline: number | undefined
  /** Working days instead of a time; 0: a time. */
  readonly workdays: number
  readonly repeatHours: number
  readonly repeatUntil: number | undefined
  readonly workdaysOnly: boolean
}

const namedBy = ({ fType, fId }: UrgedItem) => (fType === 2 ? { folderId: fId } : { fileId: fId })

interface Entered {
  readonly form: Form
  readonly now: number
  readonly deadline: number | undefined
  readonly repeatUntil: number | undefined
  /** Whether it is about one item, of which is known whom it reaches. */
  readonly isOne: boolean
  /** How many people it reaches. */
  readonly count: number | undefined
  /** Why it is not known whom it reaches. */
  readonly refusal: string | undefined
}

/** What is missing or wrong, by field. */
function problemsOf(t: Translate, { form, now, deadline, repeatUntil, isOne, count, refusal }: Entered) {
  return {
    people:
      form.chosen.length === 0
        ? t('urge.wrong.people')
        : isOne && refusal !== undefined
          ? refusal
          : count === 0
            ? t('urge.wrong.unseen')
            : undefined,
    message: form.message.trim() === '' ? t('urge.wrong.message') : undefined,
    deadline: deadline !== undefined && !(deadline > now) ? t('urge.wrong.deadline') : undefined,
    repeat:
      repeatUntil !== undefined && !(repeatUntil >= now + form.repeatHours * hourMs)
        ? t('urge.wrong.repeat')
        : undefined,
  }
}

/** Sends one urge; returns why it was refused. */
async function sendOne(
  one: UrgedItem,
  words: Omit<Input<typeof calls.addNotify>, 'fileId' | 'folderId'>,
): Promise<{ notifyId: number; receiverCount: number } | string> {
  try {
    return await api.of(one).addNotify({ ...namedBy(one), ...words }, { quiet: true })
  } catch (failure) {
    return failure instanceof CallError ? failure.message : say('drive.failed')
  }
}

export function Urge({
  item,
  more = [],
  close,
  setDirty,
}: WindowProps<UrgeProps, { readonly notifyId: number }>): ReactNode {
  const t = useT()
  const id = useId()
  const me = useSession().account.userId
  const [now] = useState(Date.now)
  const [tree, setTree] = useState<TreeOf>('group')
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState('')
  const [form, setForm] = useState<Form>({
    ...{ chosen: [], notifyType: NotifyType.handle, message: '' },
    ...{ deadline: undefined, workdays: 0, repeatHours: 0, repeatUntil: undefined, workdaysOnly: false },
  })
  const set = (change: Partial<Form>): void => {
    setForm({ ...form, ...change })
    setRefusal('')
    setDirty(true)
  }
  const { chosen, notifyType, message, workdays, repeatHours, workdaysOnly } = form
  const deadline = workdays > 0 ? undefined : form.deadline
  const { serverSetting, setting } = useSession()
  const calendar = workCalendar(serverSetting, setting.download_time_zone)
  const due = workdays > 0 ? afterWorkdays(calendar, now, workdays) : undefined
  const repeatUntil = repeatHours === 0 ? undefined : (form.repeatUntil ?? deadline ?? due ?? now + 7 * dayMs)
  const [left, setLeft] = useState<readonly UrgedItem[]>([item, ...more])
  const asked = useDeferredValue(chosen)
  // Of several items others may see other ones: whom each reaches, its own answer says.
  const isOne = more.length === 0
  const first = left[0] ?? item
  const reach = useQuery({
    queryKey: ['approvals', 'urges', 'reach', first.fType, first.fId, asked],
    enabled: isOne && asked.length > 0,
    placeholderData: keepPreviousData,
    queryFn: () => api.of(first).getNotifyReach({ ...namedBy(first), ...idsOf(asked) }, { quiet: true }),
  })
  const count = chosen.length === 0 ? 0 : isOne ? reach.data?.receiverCount : undefined
  const unseen = chosen.length === 0 || !isOne ? undefined : reach.data
  const problems = problemsOf(t, { form, now, deadline, repeatUntil, isOne, count, refusal: reach.error?.message })
  const wrong = Object.values(problems).filter((one) => one !== undefined).length
  const send = async (): Promise<void> => {
    setTried(true)
    if (busy || wrong > 0) return
    setBusy(true)
    const failed: { item: UrgedItem; why: string }[] = []
    const asSent = {
      ...{ ...idsOf(chosen), message: message.trim(), notifyType, repeatHours },
      ...{ deadline: deadline ?? null, deadlineWorkdays: workdays, repeatUntil: repeatUntil ?? null },
      workdaysOnly: workdaysOnly && repeatHours > 0,
    }
    let last: { notifyId: number; receiverCount: number; name: string } | undefined
    for (const one of left) {
      const answer = await sendOne(one, asSent)
      if (typeof answer === 'string') failed.push({ item: one, why: answer })
      else last = { ...answer, name: one.fName }
    }
    if (last !== undefined) refetchUrges()
    if (failed.length > 0) {
      // Those that were sent are done; a second try sends the others only.
      setLeft(failed.map((one) => one.item))
      setRefusal(
        isOne
          ? (failed[0]?.why ?? '')
          : failed.map((one) => t('urge.refused', { name: isolated(one.item.fName), why: one.why })).join('\n'),
      )
      setBusy(false)
      return
    }
    if (last === undefined) return
    const { notifyId, receiverCount, name } = last
    setDirty(false)
    toast({
      kind: 'success',
      text: more.length === 0 ? t('urge.sent', { n: receiverCount }) : t('urge.sent.items', { n: more.length + 1 }),
      action: {
        text: t('urge.sent.show'),
        run: () => void openWindow('cloudoc-urge-info', { notifyId, name }),
      },
    })
    close({ notifyId })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    void send()
  }
  return (
    <div className="ur-window" onKeyDown={onKeyDown}>
      <div className="ur-split">
        <div className="ur-pick">
          <Tabs
            id={id}
            label={t('urge.whom')}
            tabs={trees.map((one) => ({ tab: one, text: t(`urge.tab.${one}`) }))}
            chosen={tree}
            onChoose={setTree}
          />
          <TabPanel id={id} chosen={tree} className="ur-pick-tree">
            <PeopleTree key={tree} of={tree} chosen={chosen} onChange={(next) => set({ chosen: next })} without={me} />
          </TabPanel>
        </div>
        <div className="ur-form">
          {refusal !== '' && (
            <p className="ur-refusal" role="alert">
              {refusal}
            </p>
          )}
          <h3>
            {t(item.fType === 2 ? 'urge.folder' : 'urge.file')}
            {left.length > 1 && <small>{t('urge.items', { n: left.length })}</small>}
          </h3>
          <UrgedItems items={left} />
          <h3 className="is-required">
            {t('urge.whom')}
            {count !== undefined && <small>{t(count === 0 ? 'urge.nobody' : 'urge.people', { n: count })}</small>}
          </h3>
          <SubjectField
            label={t('urge.whom')}
            chosen={chosen}
            onChange={(next) => set({ chosen: next.filter(({ type, id: one }) => type !== 'user' || one !== me) })}
          />
          <Problem text={tried ? problems.people : undefined} />
          {unseen !== undefined && unseen.unseenCount > 0 && <Unseen reach={unseen} />}
          <h3>{t('urge.what')}</h3>
          <Types name={`${id}-type`} chosen={notifyType} onChange={(type) => set({ notifyType: type })} />
          <h3 className="is-required">{t('urge.message')}</h3>
          <MessageField message={message} onChange={(words) => set({ message: words })} />
          <Problem text={tried ? problems.message : undefined} />
          <Phrases message={message} onChange={(words) => set({ message: words })} />
          <Deadline {...{ calendar, now, workdays, deadline, due }} onChange={set} />
          <Problem text={problems.deadline} />
          <Repeat {...{ now, repeatHours, repeatUntil, workdaysOnly }} onChange={set} />
          <Problem text={problems.repeat} />
        </div>
      </div>
      <DialogFooter>
        <span className={tried && wrong > 0 ? 'ur-foot is-wrong' : 'ur-foot'}>
          {tried && wrong > 0 ? t('urge.wrongs', { n: wrong }) : t('urge.keys', { n: urgeLimits.perDay })}
        </span>
        <Button onClick={() => close()}>{t('drive.cancel')}</Button>
        <Button kind="primary" icon={<Alert16Regular />} disabled={busy} onClick={() => void send()}>
          {count === undefined || count === 0 ? t('urge.send') : t('urge.send.n', { n: count })}
        </Button>
      </DialogFooter>
    </div>
  )
}

function Problem({ text }: { readonly text: string | undefined }): ReactNode {
  if (text === undefined) return null
  return (
    <p className="k-problem" role="alert">
      {text}
    </p>
  )
}

function UrgedItems({ items }: { readonly items: readonly UrgedItem[] }): ReactNode {
  return (
    <div className="ur-items">
      {items.map((one) => (
        <div key={`${one.fType} ${one.fId}`} className="ur-item">
          {one.fType === 2 ? <FolderIcon size={22} /> : <FileIcon ext={extNameOf(one.fName)} size={22} />}
          <span title={one.fName}>{nameInText(one.fName)}</span>
        </div>
      ))}
    </div>
  )
}

/** Who of the chosen people cannot see the item, and is not urged. */
function Unseen({ reach }: { readonly reach: Answer<typeof calls.getNotifyReach> }): ReactNode {
  const t = useT()
  return (
    <p className="ur-note">
      {t('urge.unseen', {
        n: reach.unseenCount,
        names: reach.unseen
          .slice(0, 5)
          .map(({ accountName }) => isolated(accountName))
          .join(t('urge.comma')),
      })}
    </p>
  )
}

interface TypesProps {
  readonly name: string
  readonly chosen: NotifyType
  readonly onChange: (type: NotifyType) => void
}

/** What people are asked for. */
function Types({ name, chosen, onChange }: TypesProps): ReactNode {
  const t = useT()
  return (
    <div className="ur-types" role="radiogroup" aria-label={t('urge.what')}>
      {types.map(([type, icon]) => (
        <label key={type} className={chosen === type ? 'is-chosen' : undefined}>
          <input type="radio" name={name} checked={chosen === type} onChange={() => onChange(type)} />
          <b>{t(typeKeys[type])}</b>
          {icon}
          <small>{t(`${typeKeys[type]}.note`)}</small>
        </label>
      ))}
    </div>
  )
}

interface MessageFieldProps {
  readonly message: string
  readonly onChange: (message: string) => void
}

function MessageField({ message, onChange }: MessageFieldProps): ReactNode {
  const t = useT()
  return (
    <div className="ap-comments">
      <textarea
        aria-label={t('urge.message')}
        rows={3}
        maxLength={urgeLimits.text}
        value={message}
        placeholder={t('urge.message.hint')}
        onChange={({ target }) => onChange(target.value)}
      />
      <small>
        {message.length} / {urgeLimits.text}
      </small>
    </div>
  )
}

/** Sentences that are added to the message. */
function Phrases({ message, onChange }: MessageFieldProps): ReactNode {
  const t = useT()
  return (
    <div className="ur-phrases">
      <span>{t('urge.phrases')}</span>
      {phrases.map((phrase) => (
        <button
          key={phrase}
          type="button"
          onClick={() => {
            const words = message.trim() === '' ? t(phrase) : `${message.trimEnd()}\n${t(phrase)}`
            onChange(words.slice(0, urgeLimits.text))
          }}
        >
          {t(phrase)}
        </button>
      ))}
    </div>
  )
}

interface DeadlineProps extends Pick<Form, 'workdays' | 'deadline'> {
  readonly calendar: WorkCalendar
  readonly now: number
  /** When the working days are over. */
  readonly due: number | undefined
  readonly onChange: (change: Partial<Form>) => void
}

function Deadline({ calendar, now, workdays, deadline, due, onChange }: DeadlineProps): ReactNode {
  const t = useT()
  return (
    <div className="ur-times">
      <span>{t('urge.deadline')}</span>
      <Select<number>
        label={t('urge.deadline.how')}
        size="small"
        value={workdays}
        options={workdayChoices.map((n) => ({
          value: n,
          label: n === 0 ? t('urge.deadline.time') : t('urge.deadline.days', { n }),
        }))}
        onChange={(n) => onChange({ workdays: n })}
      />
      {due === undefined ? (
        <MomentField
          label={t('urge.deadline')}
          className="ap-moment"
          value={deadline}
          min={now}
          onChange={(at) => onChange({ deadline: at })}
        />
      ) : (
        <span>{t('urge.deadline.until', { time: minuteTime(due) })}</span>
      )}
      {due !== undefined &&
        yearsWithoutDays(calendar, now, due).map((year) => (
          <small key={year}>{t('urge.deadline.noDays', { year: String(year) })}</small>
        ))}
      {(deadline ?? due) !== undefined && <small>{t('urge.deadline.note')}</small>}
    </div>
  )
}

interface RepeatProps extends Pick<Form, 'repeatHours' | 'repeatUntil' | 'workdaysOnly'> {
  readonly now: number
  readonly onChange: (change: Partial<Form>) => void
}

/** How often people are reminded, and until when. */
function Repeat({ now, repeatHours, repeatUntil, workdaysOnly, onChange }: RepeatProps): ReactNode {
  const t = useT()
  return (
    <>
      <div className="ur-times">
        <span>{t('urge.repeat')}</span>
        <Select<number>
          label={t('urge.repeat')}
          size="small"
          value={repeatHours}
          options={pauses.map((hours) => ({ value: hours, label: t(`urge.repeat.${hours}`) }))}
          onChange={(hours) => onChange({ repeatHours: hours })}
        />
        {repeatUntil !== undefined && (
          <>
            <span>{t('urge.repeat.until')}</span>
            <MomentField
              label={t('urge.repeat.until')}
              className="ap-moment"
              value={repeatUntil}
              min={now + repeatHours * hourMs}
              onChange={(at) => onChange({ repeatUntil: at })}
            />
          </>
        )}
      </div>
      {repeatHours > 0 && (
        <div className="ur-times">
          <span />
          <Checkbox
            label={t('urge.repeat.workdays')}
            checked={workdaysOnly}
            onChange={({ target }) => onChange({ workdaysOnly: target.checked })}
          />
        </div>
      )}
    </>
  )
}
