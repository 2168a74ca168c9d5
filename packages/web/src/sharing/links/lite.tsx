// cloudoc-link-detail-lite ([R226]): which links there are, for who may not make or change any.
import { LockClosed16Regular } from '@fluentui/react-icons'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { PersonFace } from '../../people/index.ts'
import { givesWords, linksOf, minute, stateWords } from './data.ts'
import type { ListProps } from './list.tsx'
import './links.css'
import './words.ts'

export function LinkLite({ item, close }: WindowProps<ListProps>): ReactNode {
  const t = useT()
  const { data, error } = useQuery(linksOf(item))
  return (
    <>
      <DialogBody reading={t('links.title')}>
        <div className="sl-lite">
          <p className="sl-hint">
            <LockClosed16Regular /> {t('links.lite.hint')}
          </p>
          {error !== null ? (
            <StatePage title={t('links.notLoaded')} text={error.message} />
          ) : data === undefined ? (
            <Spinner label={t('links.loading')} />
          ) : data.list.length === 0 ? (
            <StatePage title={t('links.nothingHere')} text={t('links.lite.nothing')} />
          ) : (
            <ul>
              {data.list.map((link) => (
                <li key={link.externalId}>
                  <PersonFace id={link.creatorId} name={link.creatorName} />
                  <div>
                    <b>{link.note || link.fName}</b>{' '}
                    <em className="sl-state" data-status={link.status}>
                      {t(`links.status.${link.status}`)}
                    </em>
                    <small>
                      {link.creatorName} · {minute(link.createTime)}
                    </small>
                    <span>
                      {[
                        givesWords(t, link.rights),
                        t(link.hasPassword ? 'links.hasPassword' : 'links.noPassword'),
                        stateWords(t, link),
                      ].join(' · ')}
                    </span>
                  </div>
                </li>
              ))}
            </ul>
          )}
          <p className="sl-hint">{t('links.lite.ask')}</p>
        </div>
      </DialogBody>
      <DialogFooter>
        <Button kind="primary" onClick={() => close()}>
          {t('drive.close')}
        </Button>
      </DialogFooter>
    </>
  )
}
