// The common fields of pushes ([R341]) in those about requests.

/** The item of a request by its type, and the operation that is asked for. Who decides need not see its folder. */
export const requestItem = (fType: 1 | 2, itemId: number | null, operate: number) => ({
  fileId: fType === 1 ? (itemId ?? 0) : 0,
  folderId: fType === 2 ? (itemId ?? 0) : 0,
  parentId: 0,
  operate,
})
