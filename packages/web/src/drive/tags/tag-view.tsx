// The page /doc/folder/tag ([R236]): the items that have a tag, or several tags.
import { tagColours } from '@cloudoc/domain'
import { type ReactNode, useState, useSyncExternalStore } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { useT } from '../../core/i18n/i18n.ts'
import { showMenu } from '../../core/menu/menu.ts'
import { openWindow } from '../../core/windows/index.ts'
import { useKnownTags } from '../../items/labels/item-tags.ts'
import { RowTags, TagDot } from '../../items/labels/tag-chip.tsx'
import { SheetPicture, StatePage } from '../../items/lists/list-states.tsx'
import { taggedOf } from '../../items/lists/lists.ts'
import type { TagSorting } from '../../items/lists/ordered-source.ts'
import { Button } from '../../kit/button.tsx'
import {
  ChevronDown12Regular,
  Delete16Regular,
  Dismiss12Regular,
  Rename16Regular,
  Tag20Regular,
} from '../../kit/icons.ts'
import type { FixedColumns, ItemColumn } from '../files/grid/columns.ts'
import { FlatList } from '../files/grid/flat-list.tsx'
import { flatListColumns } from '../files/grid/flat-list-columns.ts'
import { useTags } from './tag-field.tsx'
import { TagName } from './tag-name.tsx'
import { changeTag, removeTag, useMayEditCompanyTags } from './tag-operations.ts'
import './tags.css'

/** Returns the address of the page for these tags. */
const pathOf = (ids: readonly number[]): string =>
  ids.length === 0 ? '/doc/folder/tag' : `/doc/folder/tag?tagIds=${ids.join(',')}`

export function TagView(): ReactNode {
  const [query] = useSearchParams()
  const ids = (query.get('tagIds') ?? '').split(',').flatMap((id) => (/^\d{1,15}$/.test(id) ? [Number(id)] : []))
  return ids.length === 0 ? <AllTags /> : <Tagged key={ids.join()} ids={ids} />
}

/** The list of all tags, to choose one. */
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

/** Returns the columns: other tags of the items, the folder, the modification time and the user. */
function columnsFor(ids: readonly number[]): FixedColumns {
  const tags: ItemColumn = {
    id: 'tags',
    label: 'tags.others',
    text: () => '',
    title: () => undefined,
    cell: (item) => <RowTags item={item} except={ids} />,
    showsTags: true,
  }
  const { columns } = flatListColumns
  return {
    columns: [tags, ...columns],
    template: '36px minmax(180px, 3fr) minmax(0, 1.6fr) minmax(0, 2fr) 108px 100px 92px',
  }
}

const sorts = ['time', 'name', 'size'] as const

/** Returns the sort order of the address. Default: last modified first. */
function sortingOf(query: URLSearchParams): TagSorting {
  const sort = sorts.find((one) => one === query.get('sort'))
  return sort === undefined ? byTime : { sort, order: query.get('order') === 'asc' ? 'asc' : 'desc' }
}
const byTime: TagSorting = { sort: 'time', order: 'desc' }

/** The number of items whose other tags are counted, and the number of those tags that are offered. */
const mostCounted = 200
const mostOffered = 6

function Tagged({ ids }: { readonly ids: readonly number[] }): ReactNode {
  const t = useT()
  const navigate = useNavigate()
  const keepsCompany = useMayEditCompanyTags()
  const [isNaming, setNaming] = useState(false)
  // A stable object. Otherwise each change would render every row again.
  const [columns] = useState(() => columnsFor(ids))
  const all = useTags('').data?.list ?? []
  const chosen = ids.flatMap((id) => all.find(({ tagId }) => tagId === id) ?? [])
  const [keyword, onKeyword] = useState('')
  const [query, setQuery] = useSearchParams()
  const sorting = sortingOf(query)
  const list = taggedOf(ids, keyword, sorting)
  const { items, complete } = useSyncExternalStore(list.subscribe, list.snapshot)
  const others = useKnownTags(items.slice(0, mostCounted)).filter(({ tagId }) => !ids.includes(tagId))
  const [only] = ids.length === 1 ? chosen : []
  const kept = only !== undefined && (keepsCompany || !only.company) ? only : undefined
  return (
    <FlatList
      list={list}
      keyword={keyword}
      onKeyword={onKeyword}
      module="tag"
      label={chosen.map(({ tagName }) => tagName).join(' · ') || t('tags.title')}
      columns={columns}
      sorting={sorting}
      onSort={(sort) => {
        const turned = sorting.order === 'asc' ? 'desc' : 'asc'
        const order = sort === sorting.sort ? turned : sort === 'name' ? 'asc' : 'desc'
        setQuery((now) => ({ ...Object.fromEntries(now), sort, order }), { replace: true })
      }}
      head={
        <>
          <Tag20Regular />
          <h1 className="dr-label-row">
            {chosen.map((tag) => (
              <span key={tag.tagId} className="dr-label is-large">
                <TagDot colour={tag.colour} />
                {isNaming && tag === kept ? (
                  <TagName
                    tag={tag}
                    onChange={(tagName) => void changeTag(tag, { tagName })}
                    onEnd={() => setNaming(false)}
                  />
                ) : (
                  <span className="dr-label-name">{tag.tagName}</span>
                )}
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
          {kept !== undefined && (
            <>
              <Button kind="ghost" size="small" icon={<Rename16Regular />} onClick={() => setNaming(true)}>
                {t('tags.renameShort')}
              </Button>
              <Button
                kind="ghost"
                size="small"
                icon={<TagDot colour={kept.colour} />}
                onClick={({ currentTarget }) => {
                  const { left, bottom } = currentTarget.getBoundingClientRect()
                  const entries = tagColours.map((colour) => ({
                    id: colour,
                    label: t(`tags.colour.${colour}`),
                    icon: <TagDot colour={colour} />,
                    checked: colour === kept.colour,
                    run: () => void changeTag(kept, { colour }),
                  }))
                  void showMenu(entries, { x: left, y: bottom + 4 })
                }}
              >
                {t('tags.colour')}
                <ChevronDown12Regular />
              </Button>
              <Button
                kind="ghost"
                size="small"
                icon={<Delete16Regular />}
                onClick={() => void removeTag(kept).then((isGone) => isGone && navigate(pathOf([])))}
              >
                {t('tags.delete')}
              </Button>
            </>
          )}
          {others.length > 0 && (
            <div className="dr-label-row">
              <small>{t('tags.also')}</small>
              {others.slice(0, mostOffered).map((tag) => (
                <button
                  key={tag.tagId}
                  type="button"
                  className="dr-label is-large is-offer"
                  onClick={() => void navigate(pathOf([...ids, tag.tagId]))}
                >
                  <TagDot colour={tag.colour} />
                  <span className="dr-label-name">{tag.tagName}</span>
                  {complete && items.length <= mostCounted && <small>{tag.n}</small>}
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
