// Abuse reports by visitors of a link. The link stays or is ended.
import { fullTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { LoadFailure } from '../../admin/shared/load-failure.tsx'
import { api, CallError } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { toast } from '../../core/toast/toast.ts'
import { openWindow, type WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { type OpenLink, refetchLinks, reportsOf } from './link-admin-queries.ts'
import './texts.ts'
import './links.css'

export interface LinkReportsProps {
  readonly link: Pick<OpenLink, 'externalId' | 'fName' | 'creatorName'>
}

export function LinkReports({ link, close }: WindowProps<LinkReportsProps>): ReactNode {
  const t = useT()
  const mayChange = useSession().permission.powers.includes('security')
  const [busy, setBusy] = useState(false)
  const { data, error, refetch } = useQuery(reportsOf(link.externalId))
  const settle = async (): Promise<void> => {
    setBusy(true)
    try {
      await api.settleLinkReports({ externalId: link.externalId })
      toast({ kind: 'success', text: t('company.links.reports.settled') })
      close()
    } catch (failure) {
      toast({ kind: 'error', text: failure instanceof CallError ? failure.message : t('company.failed') })
    } finally {
      refetchLinks()
      setBusy(false)
    }
  }
  const end = async (): Promise<void> => {
    if ((await openWindow('company-cancel-links', { links: [link] })) === true) close()
  }
  return (
    <>
      <DialogBody>
        {error !== null ? (
          <LoadFailure error={error} retry={refetch} />
        ) : data === undefined ? (
          <Spinner />
        ) : data.list.length === 0 ? (
          <p>{t('company.links.reports.none')}</p>
        ) : (
          <ul className="cl-reports">
            {data.list.map(({ reportId, time, reason, comments, contact, visitor, address }) => (
              <li key={reportId}>
                <b>{t(`links.reason.${reason}`)}</b>
                {comments !== '' && <p>{comments}</p>}
                <small>
                  {t('company.links.reports.who')}: {visitor || t('company.links.reports.nameless')} · {address} ·{' '}
                  {fullTime(time)}
                </small>
                {contact !== '' && (
                  <small>
                    {t('company.links.reports.contact')}: {contact}
                  </small>
                )}
              </li>
            ))}
          </ul>
        )}
      </DialogBody>
      {mayChange && data !== undefined && data.list.length > 0 && (
        <DialogFooter>
          <Button disabled={busy} onClick={() => void settle()}>
            {t('company.links.reports.settle')}
          </Button>
          <Button kind="danger" disabled={busy} onClick={() => void end()}>
            {t('company.links.reports.end')}
          </Button>
        </DialogFooter>
      )}
    </>
  )
}
