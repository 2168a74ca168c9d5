// The page /doc/folder/tag ([R236]): what bears a tag, or several of them at once.
import { Dismiss12Regular, Tag20Regular } from '@fluentui/react-icons'
import { type ReactNode, useState, useSyncExternalStore } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { useT } from '../../core/i18n/i18n.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { placedColumns } from '../files/grid/placed-columns.ts'
import { PlacedList } from '../files/grid/placed-list.tsx'
import { useKnownTags } from '../labels/item-tags.ts'
import { TagDot } from '../labels/tag-chip.tsx'
import { taggedOf } from '../lists/lists.ts'
import { SheetPicture, StatePage } from '../lists/states.tsx'
import { useTags } from './tag-field.tsx'
import './tags.css'

/** The address of what bears these tags. */
const pathOf = (ids: readonly number[]): string =>
  ids.length === 0 ? '/doc/folder/tag' : `/doc/folder/tag?tagIds=${ids.join(',')}`

/** The page. */
export function TagView(): ReactNode {
  const [query] = useSearchParams()
  const ids = (query.get('tagIds') ?? '').split(',').flatMap((id) => (/^\d{1,15}$/.test(id) ? [Number(id)] : []))
  return ids.length === 0 ? <AllTags /> : <Tagged key={ids.join()} ids={ids} />
}

/** Every tag there is, to choose one. */
function AllTags(): ReactNode {
  const t = useT()
  const navigate = useNavigate()
  const { data } = useTags('')
  const tags = data?.list ?? []
  return (
    <section className="dr-files" aria-label={t('tags.title')}>
      <div className="dr-path-bar">
        <h1>{t('tags.title')}</h1>
        <Button kind="ghost" onClick={() => void openWindow('cloudoc-tag', {})}>
          {t('tags.manage')}
        </Button>
      </div>
      {data !== undefined && tags.length === 0 ? (
        <div className="dr-list">
          <StatePage picture={<SheetPicture sign="search" />} title={t('tags.none')} text={t('tags.noneHint')}>
            <Button onClick={() => void navigate('/doc/folder/files')}>{t('drive.state.toMyFiles')}</Button>
          </StatePage>
        </div>
      ) : (
        <>
          <p className="dr-tag-hint">{t('tags.choose')}</p>
          <div className="dr-tag-all dr-label-row is-wrapped">
            {tags.map((tag) => (
              <button
                key={tag.tagId}
                type="button"
                className="dr-label is-large is-offer"
                onClick={() => void navigate(pathOf([tag.tagId]))}
              >
                <TagDot colour={tag.colour} />
                <span className="dr-label-name">{tag.tagName}</span>
                <small>{tag.count}</small>
              </button>
            ))}
          </div>
        </>
      )}
    </section>
  )
}

function Tagged({ ids }: { readonly ids: readonly number[] }): ReactNode {
  const t = useT()
  const navigate = useNavigate()
  const all = useTags('').data?.list ?? []
  const chosen = ids.flatMap((id) => all.find(({ tagId }) => tagId === id) ?? [])
  const [keyword, onKeyword] = useState('')
  const list = taggedOf(ids, keyword)
  const { items } = useSyncExternalStore(list.subscribe, list.snapshot)
  const others = useKnownTags(items.slice(0, 200)).filter(({ tagId }) => !ids.includes(tagId))
  return (
    <PlacedList
      list={list}
      keyword={keyword}
      onKeyword={onKeyword}
      module="tag"
      label={chosen.map(({ tagName }) => tagName).join(' · ') || t('tags.title')}
      columns={placedColumns}
      head={
        <>
          <Tag20Regular />
          <h1 className="dr-label-row">
            {chosen.map((tag) => (
              <span key={tag.tagId} className="dr-label is-large">
                <TagDot colour={tag.colour} />
                <span className="dr-label-name">{tag.tagName}</span>
                {ids.length > 1 && (
                  <button
                    type="button"
                    aria-label={t('tags.without', { name: tag.tagName })}
                    onClick={() => void navigate(pathOf(ids.filter((id) => id !== tag.tagId)))}
                  >
                    <Dismiss12Regular />
                  </button>
                )}
              </span>
            ))}
          </h1>
          {others.length > 0 && (
            <div className="dr-label-row">
              <small>{t('tags.also')}</small>
              {others.slice(0, 6).map((tag) => (
                <button
                  key={tag.tagId}
                  type="button"
                  className="dr-label is-large is-offer"
                  onClick={() => void navigate(pathOf([...ids, tag.tagId]))}
                >
                  <TagDot colour={tag.colour} />
                  <span className="dr-label-name">{tag.tagName}</span>
                </button>
              ))}
            </div>
          )}
        </>
      }
      tools={
        <Button kind="ghost" size="small" onClick={() => void openWindow('cloudoc-tag', {})}>
          {t('tags.manage')}
        </Button>
      }
      nothing={t('tags.nothing')}
      hint={t('tags.nothingHint')}
    />
  )
}
