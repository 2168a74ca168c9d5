// A table of links: name, recipients, permissions, state and number of uses, with a menu.

import type { ExternalLink } from '@cloudoc/contract'
import { LinkStatus } from '@cloudoc/domain'
import {
  Copy16Regular,
  Edit16Regular,
  MoreHorizontal16Regular,
  Pause16Regular,
  Play16Regular,
} from '@fluentui/react-icons'
import { type MouseEvent, type ReactNode, useState } from 'react'
import { mainServer } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { type MenuEntry, showMenu } from '../../core/menu/menu.ts'
import { copyText } from '../../core/page/copy-text.ts'
import { openWindow } from '../../core/windows/index.ts'
import { FileIcon, FolderIcon } from '../../items/item/file-icon.tsx'
import { IconButton } from '../../kit/button.tsx'
import { useListKeys } from '../../kit/use-list-keys.ts'
import {
  addressOf,
  cancelLink,
  canRequestApproval,
  copyLabel,
  copyShareMessage,
  isOver,
  isPaused,
  type LinkState,
  linkRightsLabel,
  linkStateLabel,
  pauseLink,
} from './link-queries.ts'
import { saveQrCode } from './qr-code.tsx'
import './link-texts.ts'

/** Whether a link matches a state filter. */
export function isIn({ status }: Pick<ExternalLink, 'status'>, state: LinkState): boolean {
  if (state === 'all') return true
  if (state === 'active') return status === LinkStatus.active
  if (state === 'inactive') return status === LinkStatus.inactive
  if (state === 'approval') return status === LinkStatus.underApproval
  return status === LinkStatus.over || status === LinkStatus.refused || status === LinkStatus.failed
}

const itemOf = ({ fId, fType, fName }: ExternalLink) => ({ ...mainServer, fId, fType, fName })
export const showDetail = (link: ExternalLink): void =>
  void openWindow('cloudoc-link-detail', { externalId: link.externalId, name: link.note || link.fName })
const modify = (link: ExternalLink): void => void openWindow('cloudoc-link-create', { item: itemOf(link), link })

interface TableProps {
  readonly links: readonly ExternalLink[]
  /** Shows the item of each link. */
  readonly withItem?: boolean
  /** The click action for another user's link. */
  readonly onOpen?: (link: ExternalLink) => void
}

export function LinkTable({ links, withItem = false, onOpen }: TableProps): ReactNode {
  const t = useT()
  const [chosen, setChosen] = useState(0)
  const menuOf = (link: ExternalLink): MenuEntry[] => {
    const url = addressOf(link.linkToken)
    if (!link.mayManage)
      return [
        { id: 'open', label: t('links.open'), run: () => onOpen?.(link) },
        { id: 'copy', label: t('links.copy'), run: () => void copyText(url) },
      ]
    const standing: MenuEntry[] = isOver(link)
      ? []
      : [
          { separator: true },
          ...(canRequestApproval(link)
            ? [{ id: 'ask', label: t('links.ask'), run: () => void openWindow('cloudoc-apply-link', { link }) }]
            : []),
          { id: 'modify', label: t('links.modify'), run: () => modify(link) },
          { id: 'pause', label: t(isPaused(link) ? 'links.goOn' : 'links.pause'), run: () => void pauseLink(link) },
          { id: 'mail', label: t('links.mail'), run: () => void openWindow('cloudoc-link-sendMail', { link }) },
          { separator: true },
          { id: 'cancel', label: t('links.cancel'), danger: true, run: () => void cancelLink(link) },
        ]
    return [
      { id: 'detail', label: t('links.detail'), run: () => showDetail(link) },
      { id: 'copySentence', label: t(copyLabel(link)), run: () => void copyShareMessage(link) },
      { id: 'copy', label: t('links.copy'), run: () => void copyText(url) },
      { id: 'qr', label: t('links.qr.save'), run: () => saveQrCode(url, link.fName) },
      ...standing,
    ]
  }
  const open = (link: ExternalLink): void => (link.mayManage ? showDetail(link) : onOpen?.(link))
  const showAt = (link: ExternalLink, event: MouseEvent): void => {
    event.preventDefault()
    setChosen(link.externalId)
    // The menu key sends no pointer position.
    const { left, bottom } = event.currentTarget.getBoundingClientRect()
    const isByKey = event.clientX === 0 && event.clientY === 0
    void showMenu(menuOf(link), isByKey ? { x: left, y: bottom } : { x: event.clientX, y: event.clientY })
  }
  const keys = useListKeys()
  return (
    <table className="sl-table" {...keys}>
      <thead>
        <tr>
          <th>{t('links.column.note')}</th>
          <th>{t('links.who')}</th>
          <th>{t('links.may')}</th>
          <th>{t('links.state')}</th>
          <th className="is-number">{t('links.column.visits')}</th>
          <th className="is-number">{t('links.column.downloads')}</th>
          <th aria-label={t('links.more')} />
        </tr>
      </thead>
      <tbody>
        {links.map((link) => (
          <tr
            key={link.externalId}
            data-chosen={chosen === link.externalId}
            data-over={isIn(link, 'over')}
            onClick={() => setChosen(link.externalId)}
            onDoubleClick={() => open(link)}
            onContextMenu={(event) => showAt(link, event)}
          >
            <td>
              <button
                type="button"
                className="sl-name"
                data-list-row={withItem ? link.fName : link.note || link.fName}
                onClick={() => open(link)}
                onFocus={() => setChosen(link.externalId)}
                onKeyDown={({ key }) => key === 'Delete' && link.mayManage && !isOver(link) && void cancelLink(link)}
              >
                {withItem && (link.fType === 2 ? <FolderIcon size={22} /> : <FileIcon ext={link.extName} size={22} />)}
                <span>
                  <b title={link.fName}>{withItem ? link.fName : link.note || link.fName}</b>
                  <small>{withItem ? link.note : addressOf(link.linkToken).replace(/^https?:\/\//, '')}</small>
                </span>
              </button>
            </td>
            <td>
              {link.isNamed ? t('links.people', { n: link.people.length + link.mails.length }) : t('links.who.anybody')}
              <small data-warn={!link.hasPassword && !link.isNamed}>
                {t(
                  link.hasPassword
                    ? 'links.hasPassword'
                    : link.isNamed
                      ? link.mails.length === 0
                        ? 'links.byAccount'
                        : link.people.length === 0
                          ? 'links.byMail'
                          : 'links.byEither'
                      : 'links.noPassword',
                )}
              </small>
            </td>
            <td>
              {linkRightsLabel(t, link.rights)}
              {link.watermark && <small>{t('links.marked')}</small>}
            </td>
            <td>
              <em className="sl-state" data-status={link.status}>
                {t(`links.status.${link.status}`)}
              </em>
              <small>{linkStateLabel(t, link)}</small>
            </td>
            <td className="is-number">
              {link.mayManage && `${link.visits}${link.visitLimit > 0 ? ` / ${link.visitLimit}` : ''}`}
            </td>
            <td className="is-number">
              {link.mayManage && `${link.downloads}${link.downloadLimit > 0 ? ` / ${link.downloadLimit}` : ''}`}
            </td>
            <td className="sl-tools">
              {link.mayManage && (
                <>
                  <IconButton
                    size="small"
                    tabIndex={-1}
                    label={t(copyLabel(link))}
                    icon={<Copy16Regular />}
                    onClick={() => void copyShareMessage(link)}
                  />
                  {!isOver(link) && (
                    <>
                      <IconButton
                        size="small"
                        tabIndex={-1}
                        label={t('links.modify')}
                        icon={<Edit16Regular />}
                        onClick={() => modify(link)}
                      />
                      <IconButton
                        size="small"
                        tabIndex={-1}
                        label={t(isPaused(link) ? 'links.goOn' : 'links.pause')}
                        icon={isPaused(link) ? <Play16Regular /> : <Pause16Regular />}
                        onClick={() => void pauseLink(link)}
                      />
                    </>
                  )}
                </>
              )}
              <IconButton
                size="small"
                tabIndex={-1}
                label={t('links.more')}
                icon={<MoreHorizontal16Regular />}
                onClick={(event) => showAt(link, event)}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
