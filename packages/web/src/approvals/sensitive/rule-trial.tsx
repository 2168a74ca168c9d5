// Tries a rule on a text or on a file before it is saved, and estimates what it would find.

import { type RuleFault, type SensitiveRuleInput, type TriedRule } from '@cloudoc/contract'
import { sensitiveLimits } from '@cloudoc/domain'
import { type ReactNode, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { openWindow } from '../../core/windows/index.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { Button } from '../../kit/button.tsx'
import { hiddenPlaceText, partText, partTone } from './sensitive-state.tsx'

interface RuleTrialProps {
  readonly rule: SensitiveRuleInput
  readonly ruleId: number | undefined
  readonly onFaults: (faults: readonly RuleFault[]) => void
}

type Sample = Awaited<ReturnType<typeof api.sampleSensitiveRule>>
/** A share of the sample from which a rule is probably too wide. */
const much = 0.5

export function RuleTrial({ rule, ruleId, onFaults }: RuleTrialProps): ReactNode {
  const t = useT()
  const [text, setText] = useState('')
  const [tried, setTried] = useState<TriedRule & { readonly text: string; readonly name: string }>()
  const [sample, setSample] = useState<Sample>()
  const named: SensitiveRuleInput = { ...rule, name: rule.name.trim() === '' ? '—' : rule.name }
  const take = (answer: TriedRule, shown: string, name: string): void => {
    onFaults(answer.faults)
    setTried(answer.faults.length > 0 ? undefined : { ...answer, text: shown, name })
  }
  const tryText = (): void =>
    void api
      .trySensitiveRule({ rule: named, text })
      .then((answer) => take(answer, text, ''))
      .catch(notifyFailure)
  const tryFile = async (): Promise<void> => {
    const picked = await openWindow('drive-item-pick', {
      title: t('sensitive.admin.try.file'),
      hint: t('sensitive.admin.try.note'),
      what: 'files',
      multiple: false,
    })
    const [file] = picked ?? []
    if (file === undefined) return
    take(await api.of(file).trySensitiveRuleOnFile({ rule: named, fileId: file.fId }), '', file.fName)
  }
  const estimate = (): void =>
    void api
      .sampleSensitiveRule({ rule: named, ...(ruleId !== undefined && ruleId > 0 && { ruleId }) })
      .then((answer) => {
        onFaults(answer.faults)
        setSample(answer.faults.length > 0 ? undefined : answer)
      })
      .catch(notifyFailure)
  return (
    <aside className="sn-try" aria-label={t('sensitive.admin.try')}>
      <span className="sn-row">
        <b>{t('sensitive.admin.try')}</b>
        <small className="sn-muted">{t('sensitive.admin.try.note')}</small>
      </span>
      <textarea
        aria-label={t('sensitive.admin.try.text')}
        placeholder={t('sensitive.admin.try.hint')}
        rows={6}
        maxLength={sensitiveLimits.tried}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <span className="sn-row">
        <Button size="small" disabled={text === ''} onClick={tryText}>
          {t('sensitive.admin.try.run')}
        </Button>
        <Button size="small" onClick={() => void tryFile().catch(notifyFailure)}>
          {t('sensitive.admin.try.file')}
        </Button>
        <small className="sn-muted">
          {text.length} / {sensitiveLimits.tried}
        </small>
      </span>
      {tried !== undefined && <Result tried={tried} />}
      <Button size="small" onClick={estimate}>
        {t('sensitive.admin.sample')}
      </Button>
      {sample !== undefined && (
        <dl>
          <dt className="sn-muted">{t('sensitive.admin.sample.found', { n: sample.sampled })}</dt>
          <dd>{t('sensitive.admin.sample.count', { n: sample.found })}</dd>
          <dt className="sn-muted">{t('sensitive.admin.sample.fresh')}</dt>
          <dd>{t('sensitive.admin.sample.count', { n: sample.fresh })}</dd>
          <dt className="sn-muted">{t('sensitive.admin.sample.time')}</dt>
          <dd>{t('sensitive.admin.sample.ms', { n: sample.milliseconds.toFixed(1) })}</dd>
        </dl>
      )}
      {sample !== undefined && sample.sampled > 0 && sample.found / sample.sampled >= much && (
        <p className="sn-problem">
          {t('sensitive.admin.sample.much', { n: Math.round((100 * sample.found) / sample.sampled) })}
        </p>
      )}
    </aside>
  )
}

function Result({
  tried,
}: {
  readonly tried: TriedRule & { readonly text: string; readonly name: string }
}): ReactNode {
  const t = useT()
  const { text, name, hits, missed, isHit, outcome, reason } = tried
  const marked: ReactNode[] = []
  let from = 0
  for (const { start, end, part } of hits) {
    if (text === '' || start < from) continue
    marked.push(
      text.slice(from, start),
      <mark key={start} className="sn-mark" data-tone={partTone(part)}>
        {text.slice(start, end)}
      </mark>,
    )
    from = end
  }
  return (
    <div role="status">
      {name !== '' && <p className="sn-muted">{t('sensitive.admin.try.of', { name })}</p>}
      <p>
        <b>{isHit ? t('sensitive.admin.try.hit', { n: hits.length }) : t('sensitive.admin.try.miss')}</b>
      </p>
      {outcome !== 'inspected' && reason !== '' && (
        <p className="sn-problem">
          {t(outcome === 'partly' ? 'sensitive.partly' : 'sensitive.uninspected', {
            reason: t(`sensitive.reason.${reason}`),
          })}
        </p>
      )}
      {text === '' ? (
        hits.slice(0, 50).map((hit) => (
          <p key={`${hit.path} ${hit.name} ${hit.start} ${hit.part}`}>
            <i className="sn-dot" data-tone={partTone(hit.part)} /> {hit.masked} {partText(t, hit)}{' '}
            <small className="sn-muted">
              {[hit.path, hit.name, hit.cell, hiddenPlaceText(t, hit.place)].filter((one) => one !== '').join(' ')}
            </small>
          </p>
        ))
      ) : (
        <p>{[...marked, text.slice(from)]}</p>
      )}
      {missed.length > 0 && <p className="sn-muted">{t('sensitive.admin.missed')}</p>}
      {missed.map((one) => (
        <p key={one.start}>
          {one.masked} {t(`sensitive.part.${one.pattern}`)}{' '}
          <small className="sn-muted">{t(`sensitive.admin.missed.${one.why}`, { expected: one.expected })}</small>
        </p>
      ))}
    </div>
  )
}
