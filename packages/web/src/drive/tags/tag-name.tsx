// The inline edit field for the name of a tag.
import type { Tag } from '@cloudoc/contract'
import { limits } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { RenameField } from '../../kit/rename-field.tsx'

interface TagNameProps {
  readonly tag: Tag
  readonly onChange: (name: string) => void
  readonly onEnd: () => void
}

export function TagName({ tag, onChange, onEnd }: TagNameProps): ReactNode {
  const t = useT()
  return (
    <RenameField
      name={tag.tagName}
      longest={limits.longestTag}
      label={t('tags.name')}
      className="dr-tag-name-field"
      onChange={onChange}
      onEnd={onEnd}
    />
  )
}
