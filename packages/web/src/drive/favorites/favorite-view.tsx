// The page /doc/folder/favorite ([R238]): what the person wants at hand.
import { fullTime, shortTime } from '@cloudoc/domain'
import { type ReactNode, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { favoritesOf } from '../../items/lists/lists.ts'
import { toldOf } from '../../items/lists/ordered-source.ts'
import type { ItemColumn } from '../files/grid/columns.ts'
import { PlacedList } from '../files/grid/flat-list.tsx'
import { placedColumnsWith } from '../files/grid/flat-list-columns.ts'

const changed: ItemColumn = {
  id: 'changed',
  label: 'drive.column.time',
  text: (item, now, locale) => shortTime(toldOf('favorites', item).changed ?? item.modifyTime, now, locale),
  title: (item) => fullTime(toldOf('favorites', item).changed ?? item.modifyTime),
}
const columns = placedColumnsWith('favorites.time', { more: [changed], by: false })

/** The page. */
export function FavoriteView(): ReactNode {
  const t = useT()
  const [keyword, onKeyword] = useState('')
  return (
    <PlacedList
      list={favoritesOf(keyword)}
      keyword={keyword}
      onKeyword={onKeyword}
      grouped="kinds"
      module="favorite"
      label={t('favorites.title')}
      columns={columns}
      head={<h1>{t('favorites.title')}</h1>}
      nothing={t('favorites.nothing')}
      hint={t('favorites.hint')}
    />
  )
}
