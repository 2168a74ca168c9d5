// cloudoc-link-detail-lite ([R226]): the existing links, for users who cannot create or change any.

import { closeRights, hasRight, Right, rights } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { openWindow, type WindowProps } from '../../core/windows/index.ts'
import { keyOf } from '../../items/item/item.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { LockClosed16Regular } from '../../kit/icons.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { PersonAvatar } from '../../people/index.ts'
import { LinkChip } from './link-chip.tsx'
import type { LinkListProps } from './link-list.tsx'
import { isOpen, linkRightsLabel, linkStateLabel, linksOf, minute } from './link-queries.ts'
import './links.css'
import './link-texts.ts'

export function LinkLite({ item, close }: WindowProps<LinkListProps>): ReactNode {
  const t = useT()
  const { setting } = useSession()
  const { data, error } = useQuery(linksOf(item))
  // The reviewers who can grant the missing permission. Refused if nothing can be requested.
  const { data: asked } = useQuery({
    queryKey: ['links', 'reviewers', keyOf(item)],
    queryFn: () =>
      api
        .of(item)
        .getAuthorizationReviewers(item.fType === 2 ? { folderId: item.fId } : { fileId: item.fId }, { quiet: true }),
    retry: false,
  })
  const hasIt = asked !== undefined && hasRight(rights(asked.right), 'externalLink')
  const mayAsk = asked !== undefined && asked.list.length > 0 && !hasIt
  const ask = (): void => {
    close()
    void openWindow('cloudoc-authorization-apply', {
      item: { serverId: item.serverId, fId: item.fId, fType: item.fType, fName: item.fName },
      right: closeRights(rights(Right.externalLink), { printRights: setting.print_rights }),
    })
  }
  return (
    <>
      <DialogBody reading={t('links.title')}>
        <div className="sl-lite">
          <p className="sl-hint">
            <LockClosed16Regular /> {t(hasIt ? 'links.lite.others' : 'links.lite.hint')}
          </p>
          {error !== null ? (
            <StatePage title={t('links.notLoaded')} text={error.message} />
          ) : data === undefined ? (
            <Spinner label={t('links.loading')} />
          ) : data.list.length === 0 ? (
            <StatePage title={t('links.nothingHere')} text={t('links.lite.nothing')} />
          ) : (
            <>
              <h3>{t('links.lite.inUse', { n: data.list.filter(isOpen).length })}</h3>
              <ul>
                {data.list.map((link) => (
                  <li key={link.externalId}>
                    <PersonAvatar id={link.creatorId} name={link.creatorName} />
                    <div>
                      <b>{link.note || link.fName}</b> <LinkChip status={link.status} />
                      <small>
                        {[link.creatorName, t('links.lite.made', { time: minute(link.createTime) })].join(' · ')}
                      </small>
                      <span>
                        {[
                          linkRightsLabel(t, link.rights),
                          t(
                            link.isNamed
                              ? 'links.lite.named'
                              : link.hasPassword
                                ? 'links.hasPassword'
                                : 'links.noPassword',
                          ),
                          linkStateLabel(t, link),
                        ].join(' · ')}
                      </span>
                    </div>
                  </li>
                ))}
              </ul>
            </>
          )}
          <p className="sl-hint">{t('links.lite.ask')}</p>
        </div>
      </DialogBody>
      <DialogFooter>
        {mayAsk && <span className="sl-left">{t('links.lite.told')}</span>}
        <Button {...(mayAsk ? {} : { kind: 'primary' as const })} onClick={() => close()}>
          {t('drive.close')}
        </Button>
        {mayAsk && (
          <Button kind="primary" onClick={ask}>
            {t('links.lite.apply')}
          </Button>
        )}
      </DialogFooter>
    </>
  )
}
