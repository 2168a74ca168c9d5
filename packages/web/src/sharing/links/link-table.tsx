// A table of links: name, recipients, permissions, state and number of uses, with a menu.

import type { ExternalLink } from '@cloudoc/contract'
import { LinkStatus } from '@cloudoc/domain'
import { type ReactNode, useState } from 'react'
import { mainServer } from '../../core/call/api.ts'
import { type Translate, useT } from '../../core/i18n/i18n.ts'
import { type MenuEntry, showMenu } from '../../core/menu/menu.ts'
import { copyText } from '../../core/page/copy-text.ts'
import { openWindow } from '../../core/windows/index.ts'
import { FileIcon, FolderIcon } from '../../items/item/file-icon.tsx'
import { IconButton } from '../../kit/button.tsx'
import {
  Copy16Regular,
  Edit16Regular,
  MoreHorizontal16Regular,
  Pause16Regular,
  Play16Regular,
} from '../../kit/icons.ts'
import { type Column, Table } from '../../kit/table.tsx'
import { LinkChip } from './link-chip.tsx'
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
  const columns: readonly Column<ExternalLink>[] = [
    {
      id: 'note',
      head: t('links.column.note'),
      text: 'wrap',
      renderCell: (link) => (
        <span className="sl-name">
          {withItem && (link.fType === 2 ? <FolderIcon size={22} /> : <FileIcon ext={link.extName} size={22} />)}
          <span>
            <b title={link.fName}>{withItem ? link.fName : link.note || link.fName}</b>
            <small>{withItem ? link.note : addressOf(link.linkToken).replace(/^https?:\/\//, '')}</small>
          </span>
        </span>
      ),
    },
    {
      id: 'who',
      head: t('links.who'),
      text: 'wrap',
      renderCell: (link) => (
        <>
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
        </>
      ),
    },
    {
      id: 'may',
      head: t('links.may'),
      text: 'wrap',
      renderCell: (link) => (
        <>
          {linkRightsLabel(t, link.rights)}
          {link.watermark && <small>{t('links.marked')}</small>}
        </>
      ),
    },
    {
      id: 'state',
      head: t('links.state'),
      text: 'wrap',
      renderCell: (link) => (
        <>
          <LinkChip status={link.status} />
          <small>{linkStateLabel(t, link)}</small>
        </>
      ),
    },
    {
      id: 'visits',
      head: t('links.column.visits'),
      align: 'number',
      renderCell: (link) => link.mayManage && `${link.visits}${link.visitLimit > 0 ? ` / ${link.visitLimit}` : ''}`,
    },
    {
      id: 'downloads',
      head: t('links.column.downloads'),
      align: 'number',
      renderCell: (link) =>
        link.mayManage && `${link.downloads}${link.downloadLimit > 0 ? ` / ${link.downloadLimit}` : ''}`,
    },
    {
      id: 'more',
      head: t('links.more'),
      isHeadHidden: true,
      align: 'end',
      className: 'sl-tools',
      renderCell: (link) => <LinkTools link={link} onMenu={(at) => showAt(link, at)} />,
    },
  ]
  const showAt = (link: ExternalLink, at: Point): void => {
    setChosen(link.externalId)
    void showMenu(menuOf(link, onOpen, t), at)
  }
  return (
    <Table
      className="sl-table"
      columns={columns}
      rows={links}
      keyOf={({ externalId }) => externalId}
      nameOf={(link) => (withItem ? link.fName : link.note || link.fName)}
      current={chosen}
      onCurrent={({ externalId }) => setChosen(externalId)}
      isRowMuted={(link) => isIn(link, 'over')}
      onOpen={(link) => (link.mayManage ? showDetail(link) : onOpen?.(link))}
      opensByDoubleClick
      onMenu={showAt}
      onRowKey={(link, { key }) => key === 'Delete' && link.mayManage && !isOver(link) && void cancelLink(link)}
      isTall
    />
  )
}

function menuOf(link: ExternalLink, onOpen: TableProps['onOpen'], t: Translate): MenuEntry[] {
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
          ? [{ id: 'ask', label: t('links.ask'), run: () => void openWindow('sharing-request-approval', { link }) }]
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

interface Point {
  readonly x: number
  readonly y: number
}

interface ToolsProps {
  readonly link: ExternalLink
  readonly onMenu: (at: Point) => void
}

/** The buttons of a link. */
function LinkTools({ link, onMenu }: ToolsProps): ReactNode {
  const t = useT()
  return (
    <>
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
        onClick={({ currentTarget }) => {
          const { left, bottom } = currentTarget.getBoundingClientRect()
          onMenu({ x: left, y: bottom })
        }}
      />
    </>
  )
}
