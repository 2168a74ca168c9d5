// The fields of a link: who opens it, what they may do, until when, how often, and what is told of it.
import { linkRightNames, linkRights, maxLinkMails, maxLinkTextLength } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { Button } from '../../kit/button.tsx'
import { Checkbox } from '../../kit/fields.tsx'
import { ArrowSync16Regular } from '../../kit/icons.ts'
import { MomentField } from '../../kit/moment-field.tsx'
import { Select } from '../../kit/select.tsx'
import { Switch } from '../../kit/switch.tsx'
import { SubjectField } from '../../people/index.ts'
import { dayMs, type LinkForm, newPassword } from './link-form.ts'
import { linkRightsLabel, minute } from './link-queries.ts'
import { WatermarkChoice } from './watermark-choice.tsx'

const ends = [1, 7, 30, 90] as const
const limits = [0, 1, 5, 10, 20, 50] as const

/** Whoever has the address, or people by name and by mail. */
export function RecipientFields({ form, set, setNamed, mails, mayNameMails }: LinkForm): ReactNode {
  const t = useT()
  return (
    <>
      <span>{t('links.who')}</span>
      <div className="sl-cards" role="radiogroup" aria-label={t('links.who')}>
        {([false, true] as const).map((named) => (
          <label key={String(named)} data-on={form.named === named}>
            <input type="radio" name="sl-who" checked={form.named === named} onChange={() => setNamed(named)} />
            <b>{t(named ? 'links.who.named' : 'links.who.anybody')}</b>
            <small>
              {t(named ? (mayNameMails ? 'links.who.named.orMail' : 'links.who.named.more') : 'links.who.anybody.more')}
            </small>
          </label>
        ))}
        {form.named && (
          <SubjectField
            label={t('links.who.named')}
            types="user"
            chosen={form.people}
            onChange={(people) => set({ people })}
          />
        )}
        {form.named && mayNameMails && (
          <div className="sl-note">
            <textarea
              rows={2}
              aria-label={t('links.mails')}
              placeholder={t('links.mails.which')}
              spellCheck={false}
              value={form.mails}
              onChange={({ target }) => set({ mails: target.value })}
            />
            <small>
              {t('links.mails.more')}
              <span>
                {mails.length} / {maxLinkMails}
              </span>
            </small>
          </div>
        )}
      </div>
    </>
  )
}

/** What the visitors may do. */
export function RightsFields({ may, toggle, isOut, isFolder }: LinkForm): ReactNode {
  const t = useT()
  return (
    <>
      <span>{t('links.may')}</span>
      <div>
        <div className="sl-bits">
          {linkRightNames.map((name) => (
            <Checkbox
              key={name}
              label={t(`links.may.${name}`)}
              checked={(may & linkRights[name]) !== 0}
              disabled={isOut(name)}
              onChange={() => toggle(linkRights[name])}
            />
          ))}
        </div>
        <small>
          {(may & linkRights.edit) !== 0
            ? t('links.may.editMore')
            : t(isFolder ? 'links.may.collect' : 'links.may.uploadMore')}
        </small>
      </div>
    </>
  )
}

export function PasswordField({ form, set }: LinkForm): ReactNode {
  const t = useT()
  return (
    <>
      <label htmlFor="sl-password">{t('links.password')}</label>
      <div className="sl-row">
        <span className="k-input sl-password">
          <input
            id="sl-password"
            value={form.password}
            maxLength={4}
            spellCheck={false}
            autoComplete="off"
            placeholder={t('links.password.none')}
            onChange={({ target }) => set({ password: target.value })}
          />
        </span>
        <Button size="small" icon={<ArrowSync16Regular />} onClick={() => set({ password: newPassword() })}>
          {t('links.password.other')}
        </Button>
        <small>{t('links.password.more')}</small>
      </div>
    </>
  )
}

/** From when until when it opens. */
export function TimeFields({ form, set, end, latest, now }: LinkForm): ReactNode {
  const t = useT()
  const endDays = ends.find((days) => Math.abs(end - (now + days * dayMs)) < 60_000) ?? 0
  return (
    <>
      <span>{t('links.time')}</span>
      <div>
        <div className="sl-row">
          <Select
            label={t('links.start')}
            value={form.start === 0 ? 'now' : 'at'}
            options={[
              { value: 'now', label: t('links.start.now') },
              { value: 'at', label: t('links.start.at') },
            ]}
            onChange={(value) => set({ start: value === 'now' ? 0 : Math.max(form.start, Date.now() + 3_600_000) })}
          />
          <span>{t('links.to')}</span>
          <Select
            label={t('links.end')}
            value={endDays}
            options={[
              ...ends
                .filter((days) => now + days * dayMs <= latest)
                .map((days) => ({ value: days as number, label: t('links.days', { n: days }) })),
              { value: 0, label: t('links.end.at') },
            ]}
            onChange={(days) => set({ end: days === 0 ? form.end + 60_000 * 61 : now + days * dayMs })}
          />
          {endDays > 0 && <small>{t('links.until', { time: minute(end) })}</small>}
        </div>
        {(form.start !== 0 || endDays === 0) && (
          <div className="sl-row">
            {form.start !== 0 && (
              <MomentField label={t('links.start')} value={form.start} onChange={(start = 0) => set({ start })} />
            )}
            {endDays === 0 && (
              <MomentField
                label={t('links.end')}
                value={Number.isNaN(end) ? undefined : end}
                onChange={(at = Number.NaN) => set({ end: at })}
              />
            )}
          </div>
        )}
      </div>
    </>
  )
}

/** How often it is opened, and downloaded by; the watermark of what visitors get. */
export function LimitFields({ form, set }: LinkForm): ReactNode {
  const t = useT()
  return (
    <>
      <span>{t('links.limits')}</span>
      <div className="sl-row">
        {(['visitLimit', 'downloadLimit'] as const).map((name) => (
          <Select
            key={name}
            label={t(`links.${name}`)}
            value={form[name]}
            options={[...new Set([...limits, form[name]])].map((n) => ({
              value: n,
              label: n === 0 ? t(`links.${name}.none`) : t(`links.${name}.of`, { n }),
            }))}
            onChange={(n) => set({ [name]: n })}
          />
        ))}
        <small>{t('links.limits.more')}</small>
      </div>
      <span>{t('links.watermark')}</span>
      <WatermarkChoice
        on={form.watermark}
        templateId={form.watermarkTemplateId}
        onChange={(watermark, watermarkTemplateId) => set({ watermark, watermarkTemplateId })}
      />
    </>
  )
}

/** The note, the greeting of a link that collects files, and the address. */
export function TextFields({ form, set, may, isNew }: LinkForm): ReactNode {
  const t = useT()
  return (
    <>
      {may === linkRights.upload && (
        <>
          <label htmlFor="sl-greeting">{t('links.greeting')}</label>
          <div className="sl-note">
            <textarea
              id="sl-greeting"
              rows={2}
              maxLength={maxLinkTextLength}
              value={form.greeting}
              onChange={({ target }) => set({ greeting: target.value })}
            />
            <small>
              {t('links.greeting.more')}
              <span>
                {form.greeting.length} / {maxLinkTextLength}
              </span>
            </small>
          </div>
        </>
      )}
      <label htmlFor="sl-note">{t('links.note')}</label>
      <div className="sl-note">
        <textarea
          id="sl-note"
          rows={2}
          maxLength={maxLinkTextLength}
          value={form.note}
          onChange={({ target }) => set({ note: target.value })}
        />
        <small>
          {t('links.note.more')}
          <span>
            {form.note.length} / {maxLinkTextLength}
          </span>
        </small>
      </div>
      {isNew && (
        <>
          <label htmlFor="sl-address">{t('links.address')}</label>
          <div className="sl-row">
            <small>/s/</small>
            <span className="k-input sl-address">
              <input
                id="sl-address"
                value={form.address}
                maxLength={40}
                spellCheck={false}
                autoComplete="off"
                placeholder={t('links.address.made')}
                onChange={({ target }) => set({ address: target.value })}
              />
            </span>
          </div>
        </>
      )}
    </>
  )
}

/** Whether the creator is notified, and the reason for the approvers. */
export function NotificationFields({ form, set, needsApproval, reviewers }: LinkForm): ReactNode {
  const t = useT()
  return (
    <>
      <span>{t('links.notify')}</span>
      <div className="sl-row">
        <Switch label={t('links.notify.more')} on={form.notify} onChange={(notify) => set({ notify })} />
        <small>{t('links.notify.more')}</small>
      </div>
      {needsApproval && (
        <>
          <label htmlFor="sl-comments">{t('links.approval')}</label>
          <div className="sl-note">
            <textarea
              id="sl-comments"
              rows={2}
              maxLength={1000}
              placeholder={t('links.approval.why')}
              value={form.comments}
              onChange={({ target }) => set({ comments: target.value })}
            />
            <small>
              {t('links.approval.by', {
                names: reviewers.join(t('links.and')),
              })}
            </small>
          </div>
        </>
      )}
    </>
  )
}

/** The settings in one sentence. */
export function LinkSummary({ form, mails, end, may }: LinkForm): ReactNode {
  const t = useT()
  return (
    <p className="sl-result">
      {t(
        form.named
          ? mails.length > 0
            ? 'links.result.namedOrMail'
            : 'links.result.named'
          : form.password === ''
            ? 'links.result.open'
            : 'links.result.password',
        {
          time: Number.isNaN(end) ? '' : minute(end),
          may: linkRightsLabel(t, may),
        },
      )}
    </p>
  )
}
