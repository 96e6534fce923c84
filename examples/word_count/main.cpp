// Counts the words of the text files below a folder, by map_reduce: ./word_count [FOLDER [LINES]]
//
// A word is a run of ASCII letters, in lower case; compressed files are left out. Prints the words
// that are most frequent, as `uniq -c` would, and to stderr what it took.
#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <ios>
#include <string>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/parallel/reduce.hpp"
#include "artel/parallel/seeds.hpp"
#include "artel/pool/pool.hpp"

namespace {

using namespace artel;
namespace fs = std::filesystem;

struct Counts {
  std::unordered_map<std::string, std::uint64_t> words;
  std::uint64_t bytes = 0;
};

std::vector<fs::path> text_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    if (it->symlink_status().type() == fs::file_type::regular && it->path().extension() != ".gz") {
      files.push_back(it->path());
    }
  }
  if (error) fmt::print(stderr, "{}: {}\n", folder.string(), error.message());
  return files;
}

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string text(static_cast<std::size_t>(fs::file_size(file)), '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

// The fold: the words of a text into the counts, and the counts of a chunk into those before it.
struct Add {
  Counts operator()(Counts counts, const std::string& text) const {
    constexpr auto kIsLetter = [](char c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; };
    std::string word;
    for (auto at = text.begin(); at != text.end();) {
      at = std::find_if(at, text.end(), kIsLetter);
      const auto end = std::find_if_not(at, text.end(), kIsLetter);
      word.assign(at, end);
      for (char& c : word) c = static_cast<char>(c | 32);
      if (!word.empty()) ++counts.words[word];
      at = end;
    }
    counts.bytes += text.size();
    return counts;
  }
  Counts operator()(Counts counts, Counts more) const {
    if (counts.words.size() < more.words.size()) std::swap(counts.words, more.words);
    for (const auto& [word, count] : more.words) counts.words[word] += count;
    counts.bytes += more.bytes;
    return counts;
  }
};

}  // namespace

int main(int argc, char** argv) {
  const fs::path folder = argc > 1 ? argv[1] : "/usr/share/doc";
  const std::size_t lines = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 20;

  const Instant start = steady_now();
  const auto files = text_files(folder);
  pool::Pool pool{{.name = "words"}};
  const Counts counts =
      parallel::map_reduce(pool, files, parallel::Seeds<Counts>{}, text_of, Add{});
  const double seconds = to_seconds(steady_now() - start);

  std::vector<std::pair<std::string, std::uint64_t>> ranking(counts.words.begin(),
                                                             counts.words.end());
  std::ranges::sort(ranking, [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  for (std::size_t i = 0; i < std::min(lines, ranking.size()); ++i) {
    fmt::print("{:7} {}\n", ranking[i].second, ranking[i].first);
  }
  fmt::print(stderr, "{} files, {:.1f} MB, {} different words, {:.2f} s on {} workers\n",
             files.size(), static_cast<double>(counts.bytes) * 1e-6, ranking.size(), seconds,
             pool.size());
  return files.empty() ? 1 : 0;
}
