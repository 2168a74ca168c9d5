// cloudoc-apply-folder-detail ([R254]): the content of a folder when it was applied for; of a link to a folder, now.
import { extNameOf, formatSize } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { FileIcon } from '../../items/item/file-icon.tsx'
import { Button, IconButton } from '../../kit/button.tsx'
import { DialogFooter } from '../../kit/dialog.tsx'
import { Eye16Regular } from '../../kit/icons.ts'
import { PagePager } from '../../kit/pager.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { type Column, Table, TableName } from '../../kit/table.tsx'
import { SecretMark } from './application-files.tsx'
import { folderOf, perPage } from './application-queries.ts'
import { lookAtReviewed } from './look-at-reviewed.ts'
import '../review/approvals.css'
import './applications.css'

export interface FolderContentProps {
  readonly applicationId: number
  readonly folderId: number
  readonly name: string
  /** A link to the folder is applied for. */
  readonly isLink?: boolean
}

type Row = Awaited<ReturnType<ReturnType<typeof folderOf>['queryFn']>>['list'][number]

export function FolderContent({
  applicationId,
  folderId,
  isLink = false,
  close,
}: WindowProps<FolderContentProps>): ReactNode {
  const t = useT()
  const [page, setPage] = useState(0)
  const { data, error } = useQuery(folderOf(applicationId, folderId, page))
  const pages = Math.ceil((data?.total ?? 0) / perPage)
  const columns: readonly Column<Row>[] = [
    {
      id: 'name',
      head: t('applications.files'),
      renderCell: ({ fName, path }) => (
        <TableName icon={<FileIcon ext={extNameOf(fName)} size={22} />} below={path === '' ? undefined : path}>
          {fName}
        </TableName>
      ),
    },
    { id: 'size', head: t('drive.column.size'), align: 'number', renderCell: ({ fileSize }) => formatSize(fileSize) },
    {
      id: 'level',
      head: t('applications.column.level'),
      renderCell: ({ secretLevel, secretName }) =>
        secretLevel > 0 && <SecretMark level={secretLevel} name={secretName} />,
    },
    {
      id: 'look',
      head: t('applications.column.look'),
      isHeadHidden: true,
      renderCell: (row) =>
        row.mayPreview && (
          <IconButton
            size="small"
            icon={<Eye16Regular />}
            label={t('applications.preview', { name: isolated(row.fName) })}
            onClick={() => lookAtReviewed(row, applicationId)}
          />
        ),
    },
  ]
  return (
    <>
      <div className="al-folder">
        <p className="al-note">
          {t(isLink ? 'applications.folder.linkNote' : 'applications.folder.note')}{' '}
          {data !== undefined && t('applications.contains', { n: data.total })}
          {data !== undefined && ` · ${formatSize(data.fileSize)}`}
        </p>
        <Table
          label={t('applications.content')}
          columns={columns}
          rows={data?.list}
          keyOf={({ itemId }) => itemId}
          isTall
          loading={<Spinner label={t('approvals.loading')} />}
          failure={error && <StatePage title={t('applications.notLoaded')} text={error.message} />}
          empty={<StatePage title={t(isLink ? 'applications.folder.linkNone' : 'applications.folder.none')} />}
        />
      </div>
      <DialogFooter>
        <span className="ap-left">
          {pages > 1 && (
            <PagePager
              page={page}
              pages={pages}
              onPage={setPage}
              previousLabel={t('approvals.before')}
              nextLabel={t('approvals.after')}
            />
          )}
        </span>
        <Button kind="primary" onClick={() => close()}>
          {t('drive.close')}
        </Button>
      </DialogFooter>
    </>
  )
}
