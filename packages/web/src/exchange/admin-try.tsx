// Tries the rules of the exchange: which of them decides if somebody sends a file, why the others do not, and who
// approves it. Nothing is sent.
import type { Answer, calls } from '@cloudoc/contract'
import { codeOf, codeText } from '@cloudoc/domain'
import { type ReactNode, useState } from 'react'
import { api, CallError, mainServer } from '../core/call/api.ts'
import { useLocale, useT } from '../core/i18n/i18n.ts'
import type { WindowProps } from '../core/windows/index.ts'
import { Button } from '../kit/button.tsx'
import { DialogBody, DialogFooter } from '../kit/dialog.tsx'
import { Select } from '../kit/select.tsx'
import { Field, Input, useLevels } from '../organisation/index.ts'
import { SubjectField } from '../people/index.ts'
import type { TryProps } from './window-props.ts'
import './exchange-texts.ts'
import './exchange.css'

type Tried = Answer<(typeof calls)['tryExchangeRules']>

export function ExchangeTryWindow({ networks, libraries, sender, close }: WindowProps<TryProps>): ReactNode {
  const t = useT()
  const levels = useLevels()
  const [form, setForm] = useState({
    sender: sender === undefined ? [] : [sender],
    targetServerCode: networks[0]?.targetServerCode ?? '',
    folderId: 0,
    ext: '',
    secretLevel: 0,
    receiver: '',
  })
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const [tried, setTried] = useState<Tried>()
  const set = (change: Partial<typeof form>): void => {
    setForm({ ...form, ...change })
    // What is shown is the answer to what is entered.
    setTried(undefined)
    setProblem('')
  }
  const tryIt = async (): Promise<void> => {
    const { sender: chosen, ...asked } = form
    const [first] = chosen
    if (first === undefined) return setProblem(t('exchange.try.senderMissing'))
    setBusy(true)
    try {
      setTried(await api.of(mainServer).tryExchangeRules({ ...asked, userId: first.id }, { quiet: true }))
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setProblem(error.message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <DialogBody>
        <div className="ex-form">
          <p>{t('exchange.try.more')}</p>
          <Field label={t('exchange.try.sender')}>
            <SubjectField
              label={t('exchange.try.sender')}
              types="user"
              chosen={form.sender}
              onChange={(chosen) => set({ sender: chosen.slice(-1) })}
            />
          </Field>
          <Field label={t('exchange.network')}>
            <Select
              label={t('exchange.network')}
              value={form.targetServerCode}
              options={networks.map(({ targetServerCode, targetName }) => ({
                value: targetServerCode,
                label: targetName,
              }))}
              onChange={(targetServerCode) => set({ targetServerCode })}
            />
          </Field>
          <Field label={t('exchange.try.file')}>
            <div className="ex-row">
              <Select
                label={t('exchange.rule.library')}
                value={form.folderId}
                options={[
                  { value: 0, label: t('exchange.rule.where.all') },
                  ...libraries.map(({ libraryId, name }) => ({ value: libraryId, label: name })),
                ]}
                onChange={(folderId) => set({ folderId })}
              />
              <Input
                label={t('exchange.try.ext')}
                placeholder={t('exchange.try.ext')}
                value={form.ext}
                maxLength={20}
                onChange={({ target }) => set({ ext: target.value })}
              />
              <Select
                label={t('exchange.try.level')}
                value={form.secretLevel}
                options={levels.map((label, value) => ({ value, label }))}
                onChange={(secretLevel) => set({ secretLevel })}
              />
            </div>
          </Field>
          <Field label={t('exchange.try.receiver')} help={t('exchange.try.receiver.more')}>
            <Input
              label={t('exchange.try.receiver')}
              value={form.receiver}
              maxLength={100}
              onChange={({ target }) => set({ receiver: target.value })}
            />
          </Field>
          {tried !== undefined && <Outcome tried={tried} />}
        </div>
      </DialogBody>
      <DialogFooter>
        {problem !== '' && (
          <span className="k-problem" role="alert">
            {problem}
          </span>
        )}
        <Button onClick={() => close()}>{t('exchange.try.close')}</Button>
        <Button kind="primary" disabled={busy} onClick={() => void tryIt()}>
          {t('exchange.try')}
        </Button>
      </DialogFooter>
    </>
  )
}

function Outcome({ tried: { result, ruleName, tried, rounds, requirePwd } }: { readonly tried: Tried }): ReactNode {
  const t = useT()
  const locale = useLocale()
  const isSent = result === 0
  const names = (parts: readonly string[]): string => parts.join(t('exchange.comma'))
  const head = !isSent
    ? t('exchange.try.refused', { reason: codeText(result, locale) })
    : rounds.length === 0
      ? t('exchange.try.free', { rule: ruleName })
      : t('exchange.try.sent', { rule: ruleName })
  return (
    <section className={`ex-tried${isSent ? '' : ' is-refused'}`} aria-label={t('exchange.try.result')}>
      <p role="status">
        <b>{head}</b>
        {!isSent && codeOf(result) !== undefined && <small>{t('exchange.try.code', { code: result })}</small>}
      </p>
      {isSent && rounds.length > 0 && (
        <ol aria-label={t('exchange.try.steps')}>
          {rounds.map(({ needed, names: who }, n) => (
            <li key={n}>
              {who.length === 1
                ? t('exchange.try.one', { names: names(who) })
                : t(needed < who.length ? 'exchange.try.any' : 'exchange.try.all', { names: names(who), n: needed })}
            </li>
          ))}
        </ol>
      )}
      {isSent && requirePwd && <p>{t('exchange.try.password')}</p>}
      {tried.length === 0 ? (
        <p>{t('exchange.try.noRules')}</p>
      ) : (
        <ul aria-label={t('exchange.try.rules')}>
          {tried.map((rule) => (
            <li key={rule.ruleId} data-decides={rule.reason === 'decides' || undefined}>
              <span>{rule.ruleName}</span>
              <small>{t(`exchange.try.reason.${rule.reason}`)}</small>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
