// cloudoc-link-create ([R222]-[R224]): the permissions of a link, its recipients and its expiry; then the link itself.
// The same window changes a link.

import type { ExternalLink } from '@cloudoc/contract'
import { LinkStatus } from '@cloudoc/domain'
import { type ReactNode, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { t as translate, useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogFooter } from '../../kit/dialog.tsx'
import { Checkbox } from '../../kit/fields.tsx'
import {
  LimitFields,
  LinkSummary,
  NotificationFields,
  PasswordField,
  RecipientFields,
  RightsFields,
  TextFields,
  TimeFields,
} from './link-fields.tsx'
import { useLinkForm } from './link-form.ts'
import { copyShareMessage, type OfItem, tryLinkChange } from './link-queries.ts'
import { MadeLink } from './made-link.tsx'
import './links.css'
import './link-texts.ts'

export interface CreateLinkProps {
  readonly item: OfItem
  /** The link to change. Without it, a new one is created. */
  readonly link?: ExternalLink
}

export function CreateLink({ item, link, close, setDirty }: WindowProps<CreateLinkProps, ExternalLink>): ReactNode {
  const t = useT()
  const fields = useLinkForm(item, link, () => setDirty(true))
  const { form, settings, needsApproval, problem } = fields
  const [remember, setRemember] = useState(true)
  const [busy, setBusy] = useState(false)
  const [made, setMade] = useState<ExternalLink>()
  const change = async (own: ExternalLink): Promise<void> => {
    const start = form.start === own.startTime ? {} : { startTime: form.start }
    await api.externalModify({ externalId: own.externalId, ...settings, ...start })
    setDirty(false)
    close(own)
  }
  const create = async (): Promise<void> => {
    const named = item.fType === 2 ? { folderId: item.fId } : { fileId: item.fId }
    const address = form.address === '' ? {} : { address: form.address }
    const asked = needsApproval ? { comments: form.comments } : {}
    const answer = await api
      .of(item)
      .externalCreate({ ...named, ...settings, startTime: form.start, ...address, ...asked })
    if (remember) fields.remember()
    setDirty(false)
    setMade(answer)
    if (answer.status !== LinkStatus.underApproval) await copyShareMessage(answer)
  }
  const save = async (): Promise<void> => {
    setBusy(true)
    await tryLinkChange(
      () => (link === undefined ? create() : change(link)),
      link === undefined ? undefined : translate('links.done.saved'),
    )
    setBusy(false)
  }

  if (made !== undefined) return <MadeLink link={made} close={close} again={() => setMade(undefined)} />
  return (
    <>
      <div className="sl-form">
        <RecipientFields {...fields} />
        <RightsFields {...fields} />
        <PasswordField {...fields} />
        <TimeFields {...fields} />
        <LimitFields {...fields} />
        <TextFields {...fields} />
        <NotificationFields {...fields} />
        <LinkSummary {...fields} />
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
