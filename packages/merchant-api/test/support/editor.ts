import { resolve } from 'node:path';
import {
  API,
  type Checker,
  type Project,
  SignatureKind,
  type Symbol,
  SymbolFlags,
  type Type,
} from 'typescript/unstable/sync';
import {
  isLiteralTypeNode,
  isStringLiteral,
  isTypeAliasDeclaration,
  isTypeReferenceNode,
  isUnionTypeNode,
} from 'typescript/unstable/ast/is';
import type { Node } from 'typescript/unstable/ast';
import { hoverComments } from './language-server.ts';

const FIXTURE = resolve(import.meta.dirname, '../fixtures/editor');
const TSCONFIG = resolve(FIXTURE, 'tsconfig.json');
const USER = resolve(FIXTURE, 'user.ts');
const BUILD = resolve(import.meta.dirname, '../../build').toLowerCase();

/** The package as an editor shows it to a program that imports the built files. */
export type Editor = Readonly<{
  /** The comment that a hover shows, by path such as `readUser.value.roles`. Empty without one. */
  comments: ReadonlyMap<string, string>;
  /** Types that the declaration of an export names and that the package does not export. */
  unexportedTypes: readonly string[];
  /** Unions of texts in the declaration of an export that have no name. */
  unnamedUnions: readonly string[];
}>;

/** Reads the package through TypeScript's own process, which ends before this returns. */
export async function readEditor(): Promise<Editor> {
  const api = new API({ cwd: FIXTURE });
  try {
    const project = api.updateSnapshot({ openProjects: [TSCONFIG] }).getProject(TSCONFIG);
    if (project === undefined) throw new Error('TypeScript did not open the fixture');
    const exported = exportsOf(project);
    return {
      comments: await commentsAt(exported, fieldsOf(project.checker, exported)),
      unexportedTypes: unexportedTypes(project.checker, exported),
      unnamedUnions: unnamedUnions(exported),
    };
  } finally {
    api.close();
  }
}

function exportsOf({ checker, program }: Project): Symbol[] {
  const file = program.getSourceFile(USER);
  const module = file && checker.getSymbolAtLocation(file);
  if (module === undefined) throw new Error('TypeScript did not read the fixture');
  return checker.getExportsOfModule(module).map((symbol) => originOf(checker, symbol));
}

/** The symbol behind an import or export. */
function originOf(checker: Checker, symbol: Symbol): Symbol {
  return hasFlag(symbol, SymbolFlags.Alias) ? checker.getAliasedSymbol(symbol) : symbol;
}

const hasFlag = ({ flags }: Symbol, flag: SymbolFlags): boolean => (flags & flag) !== 0;

const isOwn = ({ declarations }: Symbol): boolean =>
  declarations.some(({ path }) => path.toLowerCase().startsWith(BUILD));

/** A type that has fields, as a program would write it. */
type FieldOwner = Readonly<{ path: string; owner: string }>;

/** A field, and the type that has it. */
type Field = FieldOwner & Readonly<{ name: string }>;

const HEAD = `import type * as api from '@bursar/merchant-api';
type Yielded<T> =
  T extends AsyncGenerator<infer Item> ? Item : T extends Promise<infer Value> ? Value : never;`;

/** Writes a program that names each export and each field, and hovers over them. */
async function commentsAt(exported: readonly Symbol[], fields: readonly Field[]) {
  const places = [
    ...exported.map(({ name }) => ({
      path: name,
      name,
      before: 'export { ',
      after: " } from '@bursar/merchant-api';",
    })),
    ...fields.map(({ path, owner, name }, index) => ({
      path,
      name,
      before: `export const v${index} = (value: ${owner}) => value.`,
      after: ';',
    })),
  ];
  const lines = places.map(({ before, name, after }) => `${before}${name}${after}`);
  const text = [HEAD, ...lines].join('\n');
  const positions = places.map(({ before }, index) => ({
    line: HEAD.split('\n').length + index,
    character: before.length,
  }));
  const comments = await hoverComments(USER, text, positions);
  return new Map(places.map(({ path }, index) => [path, comments[index] ?? '']));
}

/** Each field of the package's types, through parameters, results and lists. */
function fieldsOf(checker: Checker, exported: readonly Symbol[]): Field[] {
  const fields: Field[] = [];
  const visitedTypes = new Set<number>();
  for (const symbol of exported) visitExport(symbol);
  return fields;

  function visitExport(symbol: Symbol): void {
    const { name } = symbol;
    if (hasFlag(symbol, SymbolFlags.Function)) {
      visitType(checker.getTypeOfSymbol(symbol), { path: name, owner: `typeof api.${name}` });
    }
    if (!hasFlag(symbol, SymbolFlags.Type)) return;
    // A generic type is visited where an operation uses it.
    const declared = checker.getDeclaredTypeOfSymbol(symbol);
    const isGeneric = declared.getAliasTypeArguments().length > 0;
    if (!isGeneric) visitType(declared, { path: name, owner: `api.${name}` });
  }

  function visitType(type: Type | undefined, { path, owner }: FieldOwner): void {
    if (type === undefined || visitedTypes.has(type.id)) return;
    visitedTypes.add(type.id);
    if (type.isUnionType()) return visitParts(type.getTypes() ?? [], { path, owner });
    if (checker.isArrayType(type)) return visitElement(type, { path, owner: `${owner}[number]` });
    visitElement(type, { path, owner: `Yielded<${owner}>` });
    for (const signature of checker.getSignaturesOfType(type, SignatureKind.Call)) {
      signature.getParameters().forEach((parameter, index) => {
        const given = checker.getTypeOfSymbol(parameter);
        visitType(given, { path, owner: `NonNullable<Parameters<${owner}>[${index}]>` });
      });
      const result = checker.getReturnTypeOfSignature(signature);
      visitType(result, { path, owner: `ReturnType<${owner}>` });
    }
    for (const property of checker.getPropertiesOfType(type)) visitProperty(property, path, owner);
  }

  /** A program sees the fields of one part, because it narrows the union first. */
  function visitParts(parts: readonly Type[], { path, owner }: FieldOwner): void {
    for (const part of parts) {
      const alias = part.getAliasSymbol();
      const isNamed = alias !== undefined && isOwn(alias);
      visitType(part, { path, owner: isNamed ? `api.${alias.name}` : owner });
    }
  }

  function visitElement(type: Type, at: FieldOwner): void {
    for (const inner of type.isTypeReference() ? checker.getTypeArguments(type) : []) {
      visitType(inner, at);
    }
  }

  function visitProperty(property: Symbol, ownerPath: string, anyOwner: string): void {
    if (!isOwn(property)) return;
    const { name } = property;
    const path = `${ownerPath}.${name}`;
    // Of a union without names, the members that have the field.
    const owner = `Extract<${anyOwner}, { ${name}?: unknown }>`;
    fields.push({ path, owner, name });
    const type = checker.getTypeOfSymbol(property);
    visitType(type, { path, owner: `NonNullable<${owner}['${name}']>` });
  }
}

function unexportedTypes(checker: Checker, exported: readonly Symbol[]): string[] {
  const names = new Set(exported.map(({ name }) => name));
  const unexported = new Set<string>();
  const visit = (node: Node): void => {
    if (isTypeReferenceNode(node)) {
      const symbol = checker.getSymbolAtLocation(node.typeName);
      const origin = symbol && originOf(checker, symbol);
      const isNamed = origin && isOwn(origin) && !hasFlag(origin, SymbolFlags.TypeParameter);
      if (isNamed && !names.has(origin.name)) unexported.add(origin.name);
    }
    node.forEachChild(visit);
  };
  for (const symbol of exported) {
    for (const handle of symbol.declarations) {
      const node = handle.resolve();
      if (node !== undefined) visit(node);
    }
  }
  return [...unexported].toSorted();
}

/** A union of texts that is not the whole right side of a named type. */
function unnamedUnions(exported: readonly Symbol[]): string[] {
  const found: string[] = [];
  const visit = (node: Node, isNamed: boolean): void => {
    if (!isNamed && isUnionOfTexts(node)) found.push(node.getText());
    const names = isTypeAliasDeclaration(node);
    node.forEachChild((child) => visit(child, names));
  };
  for (const symbol of exported) {
    for (const handle of symbol.declarations) {
      const node = handle.resolve();
      if (node !== undefined) visit(node, false);
    }
  }
  return found;
}

const isUnionOfTexts = (node: Node): boolean =>
  isUnionTypeNode(node) &&
  node.types.filter((part) => isLiteralTypeNode(part) && isStringLiteral(part.literal)).length > 1;
