// People: signing in and out, the account and its password, and the field in which others are chosen.

export { NewPasswordFields } from './account/new-password.tsx'
export { Avatar, pictureUrl } from './avatar.tsx'
export { Login } from './login/login.tsx'
export { SetPassword, setPasswordPath } from './login/set-password.tsx'
export { Mark } from './mark.tsx'
export { Face } from './pick/face.tsx'
export type { PickedPerson } from './pick/pick-people.tsx'
export { type Subject, type SubjectType, subjectKey } from './pick/subject.ts'
export { SubjectFace, SubjectField } from './pick/subject-field.tsx'
