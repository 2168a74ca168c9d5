// file-exchange-send ([R258], [R077]): to which network, what, to whom and why, with the road that it will take.
import type { Answer, calls, ExchangeReceiver } from '@cloudoc/contract'
import {
  codeMessage,
  codeOf,
  ExchangeStatus,
  exchangeLimits,
  exchangePassword,
  formatSize,
  type Locale,
  minuteTime,
} from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useDeferredValue, useState } from 'react'
import { CommentsField, navigateTo } from '../approvals/index.ts'
import { api, CallError, mainServer } from '../core/call/api.ts'
import { type Translate, useLocale, useT } from '../core/i18n/i18n.ts'
import { toast } from '../core/toast/toast.ts'
import type { WindowProps } from '../core/windows/index.ts'
import { FileIcon, FolderIcon } from '../items/item/file-icon.tsx'
import { Button, IconButton } from '../kit/button.tsx'
import { RemovableChip } from '../kit/chips.tsx'
import { DialogFooter } from '../kit/dialog.tsx'
import { ArrowClockwise16Regular, Dismiss16Regular, Send16Regular } from '../kit/icons.ts'
import { Spinner } from '../kit/spinner.tsx'
import { StatePage } from '../kit/state-page.tsx'
import { exchangeRulesQuery, idsOf, refetchExchange, type SentItem } from './exchange-queries.ts'
import type { SendProps } from './window-props.ts'
import './exchange-texts.ts'
import './exchange.css'

/** A receiver that was chosen: by id over the wire, by account where there is none. */
type Receiver = Pick<ExchangeReceiver, 'userId' | 'account' | 'accountName'>

type Terms = Answer<typeof calls.preApplyExchange>

/** A password of four signs, without those that look alike. */
function newPassword(): string {
  const signs = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz'
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) => signs[n % signs.length]).join('')
}

/** Why the files cannot be sent to a network. */
function blockedText(t: Translate, locale: Locale, terms: Terms | undefined, network: string): string | undefined {
  if (terms === undefined) return undefined
  if (terms.fileCount > terms.mostFiles) return t('exchange.over', { n: terms.mostFiles, m: terms.fileCount })
  const refusedBy = terms.result === 0 ? undefined : codeOf(terms.result)
  return refusedBy && codeMessage(refusedBy, locale).replace('{name}', network)
}

/** What is not entered yet, or not as it has to be. */
function missingText(
  t: Translate,
  receivers: readonly Receiver[],
  pwd: string,
  terms: Terms | undefined,
): string | undefined {
  return receivers.length === 0
    ? t('exchange.missing.receivers')
    : pwd !== '' && !exchangePassword.test(pwd)
      ? t('exchange.missing.password')
      : terms?.requirePwd === true && pwd === ''
        ? t('exchange.missing.needed')
        : undefined
}

export function ExchangeSend({ items: wanted, close, setDirty }: WindowProps<SendProps, boolean>): ReactNode {
  const t = useT()
  const locale = useLocale()
  const [items, setItems] = useState(wanted)
  const [code, setCode] = useState<string>()
  const [receivers, setReceivers] = useState<readonly Receiver[]>([])
  const [comment, setComment] = useState('')
  const [pwd, setPwd] = useState('')
  const [isTried, setIsTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState('')
  const rules = useQuery(exchangeRulesQuery)
  const targets = rules.data?.targets ?? []
  const target = targets.find(({ targetServerCode }) => targetServerCode === code) ?? targets[0]
  const before = useQuery({
    queryKey: ['exchange', 'before', target?.targetServerCode, ...items.map(({ fType, fId }) => `${fType}:${fId}`)],
    queryFn: () =>
      api
        .of(mainServer)
        .preApplyExchange({ ...idsOf(items), targetServerCode: target?.targetServerCode ?? '' }, { quiet: true }),
    enabled: target !== undefined,
    staleTime: 0,
  })
  const change = (): void => {
    setRefusal('')
    setDirty(true)
  }
  if (rules.error !== null) return <StatePage title={t('exchange.notLoaded')} text={rules.error.message} />
  if (rules.data === undefined) return <Spinner label={t('exchange.loading')} />
  if (target === undefined) return <StatePage title={t('exchange.noTarget')} text={t('exchange.noTarget.more')} />
  const terms = before.data
  const blocked = before.error?.message ?? blockedText(t, locale, terms, target.targetName)
  const missing = missingText(t, receivers, pwd, terms)
  const needsApproval = (terms?.rounds.length ?? 0) > 0
  const send = async (): Promise<void> => {
    setIsTried(true)
    if (terms === undefined || blocked !== undefined || missing !== undefined || busy) return
    setBusy(true)
    try {
      const { applyId, remindStatus } = await api.of(mainServer).applyExchange(
        {
          ...{ ...idsOf(items), targetServerCode: target.targetServerCode, applyComment: comment, pwd },
          receiverIds: receivers.map(({ userId, account }) => (userId > 0 ? userId : account)),
        },
        { quiet: true },
      )
      toast({
        kind: 'success',
        text: t(remindStatus === ExchangeStatus.approved ? 'exchange.sent.free' : 'exchange.sent.review'),
      })
      setDirty(false)
      close(true)
      navigateTo(`/doc/folder/security/file-exchange-sent?applyId=${applyId}`)
    } catch (failure) {
      setRefusal(failure instanceof CallError ? failure.message : t('drive.failed'))
    } finally {
      refetchExchange()
      setBusy(false)
    }
  }
  const problem = blocked ?? refusal
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !event.ctrlKey) return
    event.preventDefault()
    void send()
  }
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: only the shortcut that sends the form. */}
      <div className="ex-split" onKeyDown={onKeyDown}>
        <div className="ex-main">
          {problem !== '' && <Banner text={problem} />}
          <h3 id="ex-network">
            {t('exchange.network')} <em aria-hidden="true">*</em>
          </h3>
          <Targets
            targets={targets}
            chosen={target.targetServerCode}
            onChange={(next) => {
              setCode(next)
              setReceivers([])
              change()
            }}
          />
          <h3>
            {t('exchange.files')} <em aria-hidden="true">*</em>
            <small>{terms !== undefined && `${terms.fileCount} / ${terms.mostFiles}`}</small>
          </h3>
          <Chosen
            items={items}
            outside={terms?.outside.map(({ fId }) => fId) ?? []}
            onRemove={(gone) => {
              setItems(items.filter((one) => one !== gone))
              change()
            }}
          />
          <h3>
            {t('exchange.column.receivers')} <em aria-hidden="true">*</em>
          </h3>
          <Receivers
            key={target.targetServerCode}
            targetServerCode={target.targetServerCode}
            isWired={target.transport === 'wire'}
            allowed={terms?.receivers ?? []}
            chosen={receivers}
            onChange={(some) => {
              setReceivers(some)
              change()
            }}
          />
          <h3>{t('exchange.comment')}</h3>
          <CommentsField
            label={t('exchange.comment')}
            rows={2}
            value={comment}
            onChange={(value) => {
              setComment(value)
              change()
            }}
          />
        </div>
        <Way
          {...{ terms, pwd }}
          network={target.targetName}
          isBlocked={blocked !== undefined}
          onPwd={(value) => {
            setPwd(value)
            change()
          }}
        />
      </div>
      <DialogFooter>
        <span className="ex-left" role={isTried && missing !== undefined ? 'alert' : undefined}>
          {isTried && missing !== undefined ? missing : 'Ctrl Enter'}
        </span>
        <Button onClick={() => close()}>{t('drive.cancel')}</Button>
        <Button
          kind="primary"
          icon={<Send16Regular />}
          disabled={busy || terms === undefined || blocked !== undefined}
          onClick={() => void send()}
        >
          {t(needsApproval ? 'exchange.send.review' : 'exchange.send')}
        </Button>
      </DialogFooter>
    </>
  )
}

/** Why the files cannot be sent. */
function Banner({ text }: { readonly text: string }): ReactNode {
  return (
    <p role="alert" className="ex-banner" data-tone="bad">
      {text}
    </p>
  )
}

interface TargetsProps {
  readonly targets: Answer<typeof calls.getExchangeRules>['targets']
  readonly chosen: string
  readonly onChange: (targetServerCode: string) => void
}

/** The networks to which the person may send. */
function Targets({ targets, chosen, onChange }: TargetsProps): ReactNode {
  const t = useT()
  return (
    <div className="ex-targets" role="radiogroup" aria-labelledby="ex-network">
      {targets.map(({ targetServerCode, targetName, transport }) => (
        <label key={targetServerCode}>
          <input
            type="radio"
            name="exchange-network"
            checked={chosen === targetServerCode}
            onChange={() => onChange(targetServerCode)}
          />
          <b>{targetName}</b>
          <small>{t(`exchange.transport.${transport}`)}</small>
        </label>
      ))}
    </div>
  )
}

interface WayProps extends RoadProps, Pick<PasswordProps, 'pwd'> {
  readonly onPwd: PasswordProps['onChange']
}

/** The road of the files, and their password. */
function Way({ terms, network, isBlocked, pwd, onPwd }: WayProps): ReactNode {
  const t = useT()
  return (
    <aside className="ex-right">
      <Road terms={terms} network={network} isBlocked={isBlocked} />
      {terms !== undefined && terms.handleBefore !== null && (
        <small>{t('exchange.until', { time: minuteTime(terms.handleBefore) })}</small>
      )}
      <h3>
        {t('exchange.fact.password')} {terms?.requirePwd === true && <em aria-hidden="true">*</em>}
      </h3>
      <Password pwd={pwd} onChange={onPwd} />
      <small>{t('exchange.password.tell')}</small>
    </aside>
  )
}

interface RoadProps {
  readonly terms: Terms | undefined
  readonly network: string
  readonly isBlocked: boolean
}

/** The road that the files will take. */
function Road({ terms, network, isBlocked }: RoadProps): ReactNode {
  const t = useT()
  return (
    <>
      <h3>{t('exchange.road')}</h3>
      <ol className="ex-road" data-upright>
        <li data-state="next">
          <b>{t('exchange.road.you')}</b>
        </li>
        {terms?.rounds.map(({ reviewers, needed }) => (
          <li key={reviewers.map(({ userId }) => userId).join()} data-state="next">
            <b>
              {reviewers.map(({ accountName }) => accountName).join(t(needed > 1 ? 'exchange.comma' : 'exchange.or'))}
            </b>
            <small>{t('exchange.road.approves', { level: terms.secretName })}</small>
          </li>
        ))}
        <li data-state="next">
          <b>{t('exchange.node.check')}</b>
        </li>
        <li data-state="next">
          <b>{t('exchange.road.delivered', { network: network })}</b>
          <small>{terms?.rounds.length === 0 && !isBlocked && t('exchange.road.free')}</small>
        </li>
        <li data-state="next">
          <b>{t('exchange.road.fetched')}</b>
        </li>
      </ol>
    </>
  )
}

interface PasswordProps {
  readonly pwd: string
  readonly onChange: (pwd: string) => void
}

function Password({ pwd, onChange }: PasswordProps): ReactNode {
  const t = useT()
  return (
    <div className="ex-pwd">
      <input
        aria-label={t('exchange.fact.password')}
        autoComplete="off"
        spellCheck={false}
        maxLength={4}
        value={pwd}
        onChange={({ target: { value } }) => onChange(value)}
      />
      <IconButton
        label={t('exchange.password.make')}
        icon={<ArrowClockwise16Regular />}
        onClick={() => onChange(newPassword())}
      />
    </div>
  )
}

interface ChosenProps {
  readonly items: readonly SentItem[]
  readonly outside: readonly number[]
  readonly onRemove: (item: SentItem) => void
}

function Chosen({ items, outside, onRemove }: ChosenProps): ReactNode {
  const t = useT()
  return (
    <ul className="ex-files">
      {items.map((item) => (
        <li key={`${item.fType}${item.fId}`} data-bad={(item.fType === 1 && outside.includes(item.fId)) || undefined}>
          {item.fType === 2 ? <FolderIcon size={22} /> : <FileIcon ext={item.extName} size={22} />}
          <span>{item.fName}</span>
          <small>{item.fType === 1 && formatSize(item.fileSize)}</small>
          <small>{item.secretName}</small>
          {items.length > 1 && (
            <IconButton
              size="small"
              label={t('exchange.take', { name: item.fName })}
              icon={<Dismiss16Regular />}
              onClick={() => onRemove(item)}
            />
          )}
        </li>
      ))}
    </ul>
  )
}

interface ReceiversProps {
  readonly targetServerCode: string
  readonly isWired: boolean
  readonly allowed: readonly string[]
  readonly chosen: readonly Receiver[]
  readonly onChange: (chosen: readonly Receiver[]) => void
}

/** The receivers: found on the other server, or typed by their account where there is no wire. */
function Receivers({ targetServerCode, isWired, allowed, chosen, onChange }: ReceiversProps): ReactNode {
  const t = useT()
  const [words, setWords] = useState('')
  const keyword = useDeferredValue(words.trim())
  const found = useQuery({
    queryKey: ['exchange', 'receivers', targetServerCode, keyword],
    queryFn: () => api.getExchangeReceivers({ targetServerCode, keyword }, { quiet: true }),
    enabled: isWired && keyword !== '',
    retry: false,
  })
  const add = (one: Receiver): void => {
    setWords('')
    const isThere = chosen.some(({ userId, account }) => userId === one.userId && account === one.account)
    if (!isThere && chosen.length < exchangeLimits.receivers) onChange([...chosen, one])
  }
  const list = found.data?.list ?? []
  const enter = (): void => {
    const [first] = list
    if (isWired && first !== undefined) add(first)
    if (!isWired && words.trim() !== '') add({ userId: 0, account: words.trim(), accountName: words.trim() })
  }
  return (
    <div className="ex-receivers">
      <div>
        {chosen.map((one) => (
          <RemovableChip
            key={`${one.userId}${one.account}`}
            text={one.accountName}
            removeLabel={t('exchange.take', { name: one.accountName })}
            onRemove={() => onChange(chosen.filter((other) => other !== one))}
          />
        ))}
        <input
          aria-label={t('exchange.column.receivers')}
          placeholder={t(isWired ? 'exchange.receivers.find' : 'exchange.receivers.type')}
          value={words}
          onChange={({ target }) => setWords(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.ctrlKey) return
            event.preventDefault()
            enter()
          }}
        />
      </div>
      {isWired && keyword !== '' && (
        <ul aria-label={t('exchange.receivers.found')}>
          {found.error !== null && <li role="alert">{found.error.message}</li>}
          {found.data !== undefined && list.length === 0 && <li>{t('exchange.receivers.none')}</li>}
          {list.map((one) => (
            <li key={one.userId}>
              <button type="button" onClick={() => add(one)}>
                {one.accountName}
                <small>{one.groups[0]}</small>
              </button>
            </li>
          ))}
        </ul>
      )}
      {allowed.length > 0 && (
        <small>{t('exchange.receivers.only', { names: allowed.join(t('exchange.comma')) })}</small>
      )}
    </div>
  )
}
