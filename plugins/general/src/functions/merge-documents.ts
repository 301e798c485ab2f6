export {
  type Merged,
  type MergeOptions,
  mergeToFile as mergeDocuments,
  type NamedInput,
  type SortType,
} from '@quire/document/structure/merge';
