// User components for other areas: avatars, and the field to choose users. What the login page needs is exported by
// area.ts, to keep that page small.

export { NewPasswordFields } from './account/new-password.tsx'
export { Avatar, pictureUrl } from './avatar.tsx'
export { CompanyLogo } from './company-logo.tsx'
export { LoginPreview } from './login/login-preview.tsx'
export { InitialsAvatar } from './pick/initials-avatar.tsx'
export { PersonAvatar } from './pick/person-avatar.tsx'
export type { PickedPerson } from './pick/pick-people.tsx'
export { type Subject, type SubjectType, subjectKey } from './pick/subject.ts'
export { SubjectAvatar, SubjectField } from './pick/subject-field.tsx'
export { ProductLogo } from './product-logo.tsx'
export { confirmedChannel } from './ways/paths.ts'
