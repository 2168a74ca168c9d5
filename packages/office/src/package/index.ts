export { drawnColor, mappedColors, themeColors, tinted } from './colors.ts'
export { at, child, children, descendants, type Element, isOn, numberAt, textOf, val } from './elements.ts'
export {
  alternativeText,
  cachedValues,
  cellComments,
  hiddenStyles,
  partLines,
  propertiesText,
  unshownText,
  wholeText,
} from './hidden-text.ts'
export { colorOf, fromEmu, fromPoints, fromTwips } from './measures.ts'
export {
  attributeOf,
  dropPart,
  escape,
  isSigned,
  mainPart,
  NotEditable,
  openPackage,
  type Package,
  relationsFile,
  relationsOf,
  unescape,
} from './package.ts'
export {
  addContentType,
  addRelations,
  changesOf,
  draftOf,
  fromBase64,
  type PartChanges,
  type Relation,
  setNumbering,
  toBase64,
} from './parts.ts'
export { type Placed, prefixOf, type Splice, scan, spliced, textIn, treeOf, withAttribute } from './xml.ts'
