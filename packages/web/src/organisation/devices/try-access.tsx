// Tells which rule would decide about an access, and why those before it do not apply.
import { type ReactNode, type SyntheticEvent, useState } from 'react'
import { api, CallError } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { Button } from '../../kit/button.tsx'
import { StatusChip } from '../../kit/chips.tsx'
import { Checkbox, TextField } from '../../kit/fields.tsx'
import { MomentField } from '../../kit/moment-field.tsx'
import { type Subject, SubjectField } from '../../people/index.ts'
import { actionTones, type Rule } from './rules.ts'

type Verdict = Awaited<ReturnType<typeof api.tryAccess>>

export function TryAccess({
  rules,
  onHit,
}: {
  readonly rules: readonly Rule[]
  readonly onHit: (rule: number) => void
}): ReactNode {
  const t = useT()
  const [who, setWho] = useState<readonly Subject[]>([])
  const [address, setAddress] = useState('')
  const [at, setAt] = useState<number>()
  const [isApproved, setApproved] = useState(true)
  const [verdict, setVerdict] = useState<Verdict>()
  const [problem, setProblem] = useState<string>()
  const userId = who[0]?.id
  const tryIt = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault()
    if (userId === undefined) return
    setProblem(undefined)
    try {
      const asked = { userId, address: address.trim(), isApprovedDevice: isApproved, list: [...rules] }
      const answer = await api.tryAccess({ ...asked, ...(at !== undefined && { at }) }, { quiet: true })
      setVerdict(answer)
      onHit(answer.rule)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setVerdict(undefined)
      setProblem(error.message)
    }
  }
  return (
    <aside>
      <h2>{t('access.try')}</h2>
      <small>{t('access.tryNote')}</small>
      <form className="ar-form" onSubmit={(event) => void tryIt(event)}>
        <div className="ar-labelled">
          <span aria-hidden>{t('access.who')}</span>
          <SubjectField label={t('access.who')} types="user" chosen={who} onChange={(next) => setWho(next.slice(-1))} />
        </div>
        <TextField
          label={t('access.address')}
          value={address}
          maxLength={60}
          placeholder="10.8.3.15"
          problem={problem}
          onChange={({ target }) => setAddress(target.value)}
        />
        <div className="ar-labelled">
          <span aria-hidden>{t('access.when')}</span>
          <MomentField label={t('access.when')} value={at} onChange={setAt} />
        </div>
        <Checkbox
          label={t('access.isApproved')}
          checked={isApproved}
          onChange={({ target }) => setApproved(target.checked)}
        />
        <Button type="submit" kind="primary" disabled={userId === undefined || address.trim() === ''}>
          {t('access.tryIt')}
        </Button>
      </form>
      {verdict !== undefined && (
        <div className="ar-verdict" role="status">
          <StatusChip tone={actionTones[verdict.action]}>{t(`access.action.${verdict.action}`)}</StatusChip>
          <p>
            {verdict.exempt
              ? t('access.exemptPerson')
              : verdict.rule < 0
                ? t('access.noHit')
                : t('access.hit', { n: verdict.rule + 1, name: rules[verdict.rule]?.name ?? '' })}
          </p>
          {verdict.passed.length > 0 && (
            <>
              <h2>{t('access.how')}</h2>
              <ol>
                {verdict.passed.map((unmet, index) => (
                  // oxlint-disable-next-line react/no-array-index-key
                  <li key={index}>
                    {index + 1} {rules[index]?.name} <small>{t(`access.unmet.${unmet}`)}</small>
                  </li>
                ))}
              </ol>
            </>
          )}
        </div>
      )}
    </aside>
  )
}
