// A table of text, for a terminal or for a Markdown document.
#ifndef REDUCTOR_CLIENT_TABLE_H_
#define REDUCTOR_CLIENT_TABLE_H_

#include <string>
#include <vector>

namespace reductor {

// REQUIRES: every row has as many cells as the header.
struct Table {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows = {};
};

// Columns of equal width, two spaces between them.
std::string ToText(const Table& table);

std::string ToMarkdown(const Table& table);

}  // namespace reductor

#endif  // REDUCTOR_CLIENT_TABLE_H_
