// One link policy: whom it applies to, and what it permits.
import type { LinkPolicy } from '@cloudoc/contract'
import { type ReactNode, useState } from 'react'
import { api, CallError } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { Checkbox } from '../../kit/fields.tsx'
import { Field, Input } from '../../organisation/index.ts'
import { type Subject, SubjectField } from '../../people/index.ts'
import { refetchLinks } from './link-admin-queries.ts'
import './texts.ts'
import './links.css'

export interface LinkPolicyWindowProps {
  /** The policy to change. Without it, a new one is created. */
  readonly policy?: LinkPolicy
}

const flags = ['mayCreate', 'mayDownload', 'needsPassword', 'needsApproval'] as const
const mostDays = 3650

export function LinkPolicyWindow({ policy, close, setDirty }: WindowProps<LinkPolicyWindowProps, boolean>): ReactNode {
  const t = useT()
  const [whom, setWhom] = useState<readonly Subject[]>([])
  const [form, setForm] = useState({
    mayCreate: policy?.mayCreate ?? true,
    mayDownload: policy?.mayDownload ?? true,
    needsPassword: policy?.needsPassword ?? false,
    needsApproval: policy?.needsApproval ?? false,
    defaultDays: String(policy?.defaultDays ?? 7),
    longestDays: policy === undefined || policy.longestDays === 0 ? '' : String(policy.longestDays),
    domains: policy?.domains.join(' ') ?? '',
  })
  const [approvers, setApprovers] = useState<readonly Subject[]>(
    (policy?.approvers ?? []).map(({ userId, accountName }) => ({ type: 'user', id: userId, name: accountName })),
  )
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const set = (change: Partial<typeof form>): void => {
    setForm({ ...form, ...change })
    setDirty(true)
  }
  const daysOf = (text: string): number | undefined => {
    const days = text.trim() === '' ? 0 : Number(text)
    return Number.isInteger(days) && days >= 0 && days <= mostDays ? days : undefined
  }
  const save = async (): Promise<void> => {
    const [defaultDays, longestDays] = [daysOf(form.defaultDays), daysOf(form.longestDays)]
    if (defaultDays === undefined || longestDays === undefined)
      return setProblem(t('company.links.policy.wrongDays', { n: mostDays }))
    setBusy(true)
    try {
      const [first] = whom
      const subject =
        policy !== undefined
          ? { subjectType: policy.subjectType, subjectId: policy.subjectId }
          : first === undefined
            ? { subjectType: 'everybody' as const }
            : { subjectType: first.type, subjectId: first.id }
      await api.setLinkPolicy({
        ...subject,
        mayCreate: form.mayCreate,
        mayDownload: form.mayDownload,
        needsPassword: form.needsPassword,
        needsApproval: form.needsApproval,
        defaultDays,
        longestDays,
        domains: form.domains.split(/[\s,;，；、]+/).filter((one) => one !== ''),
        userIdArray: approvers.map(({ id }) => id),
      })
      refetchLinks()
      setDirty(false)
      close(true)
    } catch (failure) {
      if (!(failure instanceof CallError)) throw failure
      setProblem(failure.code === 'badRequest' ? t('company.links.policy.wrongDomains') : failure.message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <DialogBody>
        <div className="or-form">
          {policy === undefined && (
            <Field label={t('company.links.policy.whom')} help={t('company.links.policy.whom.more')}>
              <SubjectField
                label={t('company.links.policy.whom')}
                chosen={whom}
                onChange={(chosen) => setWhom(chosen.slice(-1))}
              />
            </Field>
          )}
          <Field label={t('company.links.policy.may')}>
            <div className="cl-flags">
              {flags.map((one) => (
                <Checkbox
                  key={one}
                  label={t(`company.links.flag.${one}`)}
                  checked={form[one]}
                  onChange={({ target }) => set({ [one]: target.checked })}
                />
              ))}
            </div>
          </Field>
          {form.needsApproval && (
            <Field label={t('company.links.policy.approvers')} help={t('company.links.policy.approvers.more')}>
              <SubjectField
                label={t('company.links.policy.approvers')}
                types="user"
                chosen={approvers}
                onChange={(chosen) => {
                  setApprovers(chosen)
                  setDirty(true)
                }}
              />
            </Field>
          )}
          <Field label={t('company.links.policy.days')}>
            <Input
              label={t('company.links.policy.days')}
              inputMode="numeric"
              value={form.defaultDays}
              onChange={({ target }) => set({ defaultDays: target.value })}
            />
          </Field>
          <Field label={t('company.links.policy.longest')} help={t('company.links.policy.longest.more')}>
            <Input
              label={t('company.links.policy.longest')}
              inputMode="numeric"
              value={form.longestDays}
              onChange={({ target }) => set({ longestDays: target.value })}
            />
          </Field>
          <Field label={t('company.links.policy.domains')} help={t('company.links.policy.domains.more')}>
            <Input
              label={t('company.links.policy.domains')}
              value={form.domains}
              onChange={({ target }) => set({ domains: target.value })}
            />
          </Field>
        </div>
      </DialogBody>
      <DialogFooter>
        {problem !== undefined && (
          <span className="k-problem" role="alert">
            {problem}
          </span>
        )}
        <Button onClick={() => close(false)}>{t('company.links.policy.leave')}</Button>
        <Button kind="primary" disabled={busy} onClick={() => void save()}>
          {t('company.save')}
        </Button>
      </DialogFooter>
    </>
  )
}
