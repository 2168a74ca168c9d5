// cloudoc-link-create ([R222]-[R224]): the permissions of a link, its recipients and its expiry; then the link itself.
// The same window changes a link.

import type { ExternalLink } from '@cloudoc/contract'
import {
  type LinkRight,
  LinkStatus,
  linkAddress,
  linkPassword,
  linkRightNames,
  linkRights,
  maxLinkMails,
  maxLinkTextLength,
  withNeededRights,
} from '@cloudoc/domain'
import {
  ArrowSync16Regular,
  CheckmarkCircle32Regular,
  Copy16Regular,
  Mail16Regular,
  Open16Regular,
  QrCode20Regular,
} from '@fluentui/react-icons'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { t as translate, useT } from '../../core/i18n/i18n.ts'
import { copyText } from '../../core/page/copy-text.ts'
import { openWindow, type WindowProps } from '../../core/windows/index.ts'
import { isLoopback } from '../../items/item/public-address.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { DialogFooter } from '../../kit/dialog.tsx'
import { Checkbox } from '../../kit/fields.tsx'
import { MomentField } from '../../kit/moment-field.tsx'
import { Select } from '../../kit/select.tsx'
import { Switch } from '../../kit/switch.tsx'
import { type Subject, SubjectField } from '../../people/index.ts'
import {
  addressesIn,
  addressOf,
  copyLabel,
  copyShareMessage,
  isMailAddress,
  linkRightsLabel,
  minute,
  type OfItem,
  policyFor,
  shareMessage,
  tryLinkChange,
} from './link-queries.ts'
import { openLink } from './open-link.ts'
import { QrCode, saveQrCode } from './qr-code.tsx'
import { WatermarkChoice } from './watermark-choice.tsx'
import './links.css'
import './link-texts.ts'

export interface CreateLinkProps {
  readonly item: OfItem
  /** The link to change. Without it, a new one is created. */
  readonly link?: ExternalLink
}

const dayMs = 24 * 60 * 60_000
const ends = [1, 7, 30, 90] as const
const limits = [0, 1, 5, 10, 20, 50] as const
const letters = 'ABCDEFGHJKMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz23456789'
const linkFields = 'linkChoices'

/** Four letters and digits that cannot be confused with each other. */
function newPassword(): string {
  return [...crypto.getRandomValues(new Uint32Array(4))].map((n) => letters[n % letters.length]).join('')
}

interface Choices {
  readonly rights: number
  readonly days: number
  readonly withPassword: boolean
}
const usual: Choices = { rights: linkRights.preview | linkRights.download, days: 7, withPassword: true }
function remembered(): Choices {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(linkFields) ?? 'null')
    return typeof found === 'object' && found !== null ? { ...usual, ...(found as Partial<Choices>) } : usual
  } catch {
    return usual
  }
}

interface Form {
  readonly named: boolean
  readonly people: readonly Subject[]
  /** As typed. */
  readonly mails: string
  readonly rights: number
  readonly password: string
  readonly start: number
  readonly end: number
  readonly visitLimit: number
  readonly downloadLimit: number
  readonly note: string
  readonly greeting: string
  readonly notify: boolean
  readonly address: string
  /** Shown to the approvers of links. */
  readonly comments: string
  readonly watermark: boolean
  readonly watermarkTemplateId: number
}

export function CreateLink({ item, link, close, setDirty }: WindowProps<CreateLinkProps, ExternalLink>): ReactNode {
  const t = useT()
  const [first] = useState(remembered)
  const [proposed] = useState(newPassword)
  const [now] = useState(Date.now)
  const isFolder = item.fType === 2
  const [form, setForm] = useState<Form>(() =>
    link === undefined
      ? {
          named: false,
          people: [],
          mails: '',
          rights:
            (isFolder ? first.rights : first.rights & ~linkRights.upload) & ~linkRights.edit || linkRights.preview,
          password: first.withPassword ? proposed : '',
          start: 0,
          end: Date.now() + first.days * dayMs,
          visitLimit: 0,
          downloadLimit: 0,
          note: '',
          greeting: '',
          notify: false,
          address: '',
          comments: '',
          watermark: false,
          watermarkTemplateId: 0,
        }
      : {
          named: link.isNamed,
          people: link.people.map(({ userId, accountName }) => ({ type: 'user', id: userId, name: accountName })),
          mails: link.mails.join('\n'),
          rights: link.rights,
          password: link.password,
          start: link.startTime,
          end: link.endTime,
          visitLimit: link.visitLimit,
          downloadLimit: link.downloadLimit,
          note: link.note,
          greeting: link.greeting,
          notify: link.notify,
          address: '',
          comments: '',
          watermark: link.watermark,
          watermarkTemplateId: link.watermarkTemplateId,
        },
  )
  const { data: said, error } = useQuery({ ...policyFor(item), enabled: item.fId !== 0 })
  // An existing link is subject to its creator's policy.
  const policy = link === undefined ? said : undefined
  const mayNameMails = said?.mayNameMails === true || (link !== undefined && link.mails.length > 0)
  const mails = addressesIn(form.mails)
  const may = policy?.mayDownload === false ? form.rights & ~(linkRights.download | linkRights.edit) : form.rights
  const latest = policy === undefined || policy.longestDays === 0 ? Infinity : now + policy.longestDays * dayMs
  // A duration above the policy's maximum is shortened, and the field shows it.
  const end = Math.min(form.end, latest)
  const needsApproval = policy?.needsApproval === true
  const [remember, setRemember] = useState(true)
  const [busy, setBusy] = useState(false)
  const [made, setMade] = useState<ExternalLink>()
  const set = (change: Partial<Form>): void => {
    setForm({ ...form, ...change })
    setDirty(true)
  }
  // Named recipients prove their identity, so an additional password is optional and not proposed.
  const namedAs = (named: boolean): Partial<Form> => {
    if (link !== undefined) return { named }
    if (named) return { named, ...(form.password === proposed && { password: '' }) }
    return { named, ...(form.password === '' && first.withPassword && { password: proposed }) }
  }
  const toggle = (right: number): void => {
    let rights = withNeededRights(form.rights ^ right)
    // When a permission is removed, permissions that depend on it are removed too.
    if ((form.rights & right) !== 0) {
      const { preview, download, edit } = linkRights
      const needing = right === preview ? preview | download | edit : right === download ? download | edit : right
      rights = form.rights & ~needing
    }
    set({ rights })
  }
  /** Permissions this link cannot grant, unless it already does. */
  const isOut = (name: LinkRight): boolean => {
    if (name === 'upload') return !isFolder
    if (name === 'edit') return said?.mayGiveEdit !== true && (may & linkRights.edit) === 0
    return name === 'download' && policy?.mayDownload === false
  }
  const problem = !linkPassword.test(form.password)
    ? t('links.wrong.password')
    : may === 0
      ? t('links.wrong.rights')
      : Number.isNaN(end) || end <= now
        ? t('links.wrong.end')
        : form.start > end
          ? t('links.wrong.order')
          : form.named && form.people.length === 0 && mails.length === 0
            ? t(mayNameMails ? 'links.wrong.peopleOrMails' : 'links.wrong.people')
            : form.named && (mails.length > maxLinkMails || !mails.every((one) => isMailAddress.test(one)))
              ? t(mails.length > maxLinkMails ? 'links.wrong.manyMails' : 'links.mail.wrong', { n: maxLinkMails })
              : form.address !== '' && !linkAddress.test(form.address)
                ? t('links.wrong.address')
                : policy?.mayCreate === false
                  ? t('links.policy.none')
                  : policy?.needsPassword === true && form.password === '' && !form.named
                    ? t('links.policy.password')
                    : needsApproval && policy?.reviewers.length === 0
                      ? t('links.policy.nobody')
                      : error?.message

  const save = async (): Promise<void> => {
    setBusy(true)
    const common = {
      rights: may,
      password: form.password,
      endTime: end,
      visitLimit: form.visitLimit,
      downloadLimit: form.downloadLimit,
      userIdArray: form.named ? form.people.map(({ id }) => id) : [],
      mailArray: form.named ? mails : [],
      note: form.note,
      greeting: form.greeting,
      notify: form.notify,
      watermark: form.watermark,
      watermarkTemplateId: form.watermarkTemplateId,
    }
    await tryLinkChange(
      async () => {
        if (link !== undefined) {
          const start = form.start === link.startTime ? {} : { startTime: form.start }
          await api.externalModify({ externalId: link.externalId, ...common, ...start })
          setDirty(false)
          close(link)
          return
        }
        const named = isFolder ? { folderId: item.fId } : { fileId: item.fId }
        const address = form.address === '' ? {} : { address: form.address }
        const asked = needsApproval ? { comments: form.comments } : {}
        const answer = await api
          .of(item)
          .externalCreate({ ...named, ...common, startTime: form.start, ...address, ...asked })
        if (remember) {
          const days = Math.max(1, Math.round((end - Date.now()) / dayMs))
          const choices: Choices = {
            rights: form.rights,
            days,
            withPassword: form.named ? first.withPassword : form.password !== '',
          }
          localStorage.setItem(linkFields, JSON.stringify(choices))
        }
        setDirty(false)
        setMade(answer)
        if (answer.status !== LinkStatus.underApproval) await copyShareMessage(answer)
      },
      link === undefined ? undefined : translate('links.done.saved'),
    )
    setBusy(false)
  }

  if (made !== undefined) return <Made link={made} close={close} again={() => setMade(undefined)} />
  const endDays = ends.find((days) => Math.abs(end - (now + days * dayMs)) < 60_000) ?? 0
  return (
    <>
      <div className="sl-form">
        <span>{t('links.who')}</span>
        <div className="sl-cards" role="radiogroup" aria-label={t('links.who')}>
          {([false, true] as const).map((named) => (
            <label key={String(named)} data-on={form.named === named}>
              <input type="radio" name="sl-who" checked={form.named === named} onChange={() => set(namedAs(named))} />
              <b>{t(named ? 'links.who.named' : 'links.who.anybody')}</b>
              <small>
                {t(
                  named ? (mayNameMails ? 'links.who.named.orMail' : 'links.who.named.more') : 'links.who.anybody.more',
                )}
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
        {link === undefined && (
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
                  names: (policy?.reviewers ?? []).map(({ accountName }) => accountName).join(t('links.and')),
                })}
              </small>
            </div>
          </>
        )}
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
      </div>
      <DialogFooter>
        {link === undefined && (
          <Checkbox
            className="sl-remember"
            label={t('links.remember')}
            checked={remember}
            onChange={({ target }) => setRemember(target.checked)}
          />
        )}
        {problem !== undefined && (
          <span className="sl-problem" role="alert">
            {problem}
          </span>
        )}
        <Button onClick={() => close()}>{t('drive.cancel')}</Button>
        <Button kind="primary" disabled={busy || problem !== undefined} onClick={() => void save()}>
          {t(link !== undefined ? 'links.save' : needsApproval ? 'links.createAndAsk' : 'links.create')}
        </Button>
      </DialogFooter>
    </>
  )
}

interface MadeProps {
  readonly link: ExternalLink
  readonly close: (made: ExternalLink) => void
  readonly again: () => void
}

function Made({ link, close, again }: MadeProps): ReactNode {
  const t = useT()
  const url = addressOf(link.linkToken)
  const isWaiting = link.status === LinkStatus.underApproval
  return (
    <>
      <div className="sl-made">
        <header>
          <CheckmarkCircle32Regular />
          <div>
            <h3>{t(isWaiting ? 'links.made.waits' : 'links.made')}</h3>
            <p>
              {t(
                isWaiting ? 'links.made.waits.more' : link.password === '' ? 'links.made.more.open' : 'links.made.more',
              )}
            </p>
          </div>
        </header>
        <div className="sl-card">
          <div>
            <small>{t('links.link')}</small>
            <p className="sl-url">
              <b>{url}</b>
              <IconButton
                size="small"
                label={t('links.copy')}
                icon={<Copy16Regular />}
                onClick={() => void copyText(url)}
              />
              <IconButton size="small" label={t('links.open')} icon={<Open16Regular />} onClick={() => openLink(url)} />
            </p>
            {isLoopback(url) && <p role="note">{t('links.loopback')}</p>}
            <dl>
              <dt>{t('links.password')}</dt>
              <dd>{link.password === '' ? t('links.password.none') : link.password}</dd>
              <dt>{t('links.end')}</dt>
              <dd>{minute(link.endTime)}</dd>
              <dt>{t('links.may')}</dt>
              <dd>{linkRightsLabel(t, link.rights)}</dd>
            </dl>
          </div>
          <QrCode text={url} size={120} label={t('links.qr')} />
        </div>
        <h4>{t('links.sentence')}</h4>
        <textarea readOnly rows={4} aria-label={t('links.sentence')} value={shareMessage(t, link)} />
        <div className="sl-row">
          <Button kind="primary" icon={<Copy16Regular />} onClick={() => void copyShareMessage(link)}>
            {t(copyLabel(link))}
          </Button>
          {!isWaiting && (
            <Button icon={<Mail16Regular />} onClick={() => void openWindow('cloudoc-link-sendMail', { link })}>
              {t('links.mail')}
            </Button>
          )}
          <Button icon={<QrCode20Regular />} onClick={() => saveQrCode(url, link.fName)}>
            {t('links.qr.save')}
          </Button>
        </div>
        <p className="sl-hint">{t('links.made.hint')}</p>
      </div>
      <DialogFooter>
        <Button onClick={again}>{t('links.again')}</Button>
        <Button kind="primary" onClick={() => close(link)}>
          {t('links.finish')}
        </Button>
      </DialogFooter>
    </>
  )
}
