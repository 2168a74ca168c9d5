// The empty state of a folder: no items, no match for the filter, or no permission to upload. Each state offers the
// next step.
import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import type { Able } from '../../items/actions/item-action.tsx'
import { EmptyPicture, NoMatch, StatePage } from '../../items/lists/list-states.tsx'
import { Button } from '../../kit/button.tsx'
import { uploadFiles } from '../../transfer/tasks/menu.tsx'
import { create, type FolderPage } from './menu.tsx'

interface EmptyFolderProps {
  readonly able: Able<FolderPage>
  readonly keyword: string
  /** The folder has files, but the gallery shows none of them. */
  readonly isGallery: boolean
  readonly onKeyword: (keyword: string) => void
}

/** Shown when the folder has no rows to show. */
export function EmptyFolder({ keyword, isGallery, able, onKeyword }: EmptyFolderProps): ReactNode {
  const t = useT()
  if (keyword !== '') return <NoMatch keyword={keyword} text={t('drive.state.noMatchWhy')} onKeyword={onKeyword} />
  if (isGallery) return <StatePage picture={<EmptyPicture />} title={t('drive.gallery.none')} />
  if (!able.verdict(uploadFiles).show) {
    return <StatePage picture={<EmptyPicture />} title={t('drive.state.empty')} text={t('drive.state.emptyNoUpload')} />
  }
  return (
    <StatePage picture={<EmptyPicture />} title={t('drive.state.empty')} text={t('drive.state.emptyHint')}>
      <Button
        kind="primary"
        disabled={!able.verdict(uploadFiles).enabled}
        onClick={() => able.run(uploadFiles, 'button')}
      >
        {t('drive.upload.files')}
      </Button>
      <Button disabled={!able.verdict(create).enabled} onClick={() => able.run(create, 'button')}>
        {t('drive.new.folder')}
      </Button>
    </StatePage>
  )
}
